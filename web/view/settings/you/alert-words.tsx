import { post, remove } from '../../../api/client.ts'
import { t } from '../../../lib/i18n.ts'
import { inOrder } from '../../../lib/in-order.ts'
import { field } from '../../../store/server-state.ts'
import { IconButton } from '../../parts/action-button.tsx'
import { TextInput } from '../../parts/fields.tsx'
import { useTyped } from '../../parts/submission.ts'
import { AddForm } from '../parts/add-form.tsx'
import { List, ListText } from '../parts/list.tsx'
import { Section } from '../parts/section.tsx'

/** Words of which the user is notified as if they were mentioned. */
export function AlertWords() {
  const word = useTyped('')
  const words = () => [...(field('alert_words') ?? [])].sort(inOrder)
  return (
    <Section note={t('alert_words.note')}>
      <AddForm
        submit={t('alert_words.add')}
        isLine
        isIncomplete={!word.value().trim()}
        run={() => word.send((typed) => post('/users/me/alert_words', { alert_words: [typed.trim()] }))}
      >
        <TextInput label={t('alert_words.word')} value={word.value()} set={word.set} max={100} />
      </AddForm>
      <List label={t('alert_words.title')} items={words()} empty={t('alert_words.none')}>
        {(one) => (
          <>
            <ListText title={one} />
            <IconButton
              icon="trash"
              label={t('alert_words.remove', { word: one })}
              run={() => remove('/users/me/alert_words', { alert_words: [one] })}
            />
          </>
        )}
      </List>
    </Section>
  )
}
