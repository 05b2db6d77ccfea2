import { createSignal } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import type { Term } from '../../lib/route.ts'
import { goTo } from '../../lib/router.ts'
import { firstSince } from '../../store/date-anchor.ts'
import { localTime } from '../compose/times.ts'
import { Form } from '../parts/form.tsx'
import { notice } from '../parts/notices.tsx'
import { Panel } from '../parts/panel.tsx'
import { useIsHere } from '../parts/submission.ts'

/** How long a search goes on unmentioned, in milliseconds. */
const patience = 1500

/**
 * Opens a narrow at the first message of a day; if there is none since, it says so. It does neither once the user has
 * gone to another view, or when `isWanted` returns false in the end.
 */
export async function openAtDate(terms: Term[], day: string, isWanted = () => true): Promise<void> {
  const seconds = new Date(`${day}T00:00`).getTime() / 1000
  const from = location.hash
  const slow = setTimeout(() => notice(t('app.loading')), patience)
  const near = await firstSince(terms, seconds).finally(() => clearTimeout(slow))
  if (location.hash !== from || !isWanted()) return
  if (near === undefined) notice(t('date.nothing_since'))
  else goTo({ view: 'narrow', terms, near })
}

/** Asks for a day, and opens a narrow there. */
export function GoToDate(props: { terms: Term[]; close(): void }) {
  const [day, setDay] = createSignal('')
  const isHere = useIsHere()
  const run = () => openAtDate(props.terms, day(), isHere).then(props.close)
  return (
    <Panel title={t('date.title')} close={props.close}>
      <Form submit={t('date.submit')} close={props.close} run={run}>
        <label>
          {t('date.day')}
          <input
            class="field"
            type="date"
            required
            autofocus
            max={localTime(new Date()).slice(0, 10)}
            value={day()}
            onInput={(event) => setDay(event.currentTarget.value)}
          />
        </label>
      </Form>
    </Panel>
  )
}
