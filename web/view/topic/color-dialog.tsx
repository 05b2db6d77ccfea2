import { createSignal } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import { Dialog } from '../parts/dialog-panel.tsx'
import { Form } from '../parts/form.tsx'

/** Chooses the color of a channel. */
export function ColorDialog(props: { color: string; choose(color: string): void; close(): void }) {
  const [color, setColor] = createSignal(props.color)
  const save = async () => {
    props.choose(color())
    props.close()
  }
  return (
    <Dialog title={t('channel.color')} close={props.close}>
      <Form submit={t('message.save')} close={props.close} run={save}>
        <label>
          {t('channel.color')}
          <input type="color" value={color()} onInput={(event) => setColor(event.currentTarget.value)} />
        </label>
      </Form>
    </Dialog>
  )
}
