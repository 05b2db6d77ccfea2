import { createSignal } from 'solid-js'
import { t } from '../../lib/i18n.ts'
import type { Term } from '../../lib/route.ts'
import { goTo } from '../../lib/router.ts'
import { firstSince } from '../../store/date-anchor.ts'
import { Form } from '../message/message-dialogs.tsx'
import { Dialog } from '../parts/dialog.tsx'
import { notice, noticeFailure } from '../parts/notices.tsx'

/** Opens a narrow at the first message of a day, or at its newest message if there is none since. */
export async function openAtDate(terms: Term[], day: string): Promise<void> {
  const seconds = new Date(`${day}T00:00`).getTime() / 1000
  const near = await firstSince(terms, seconds)
  if (near === undefined) notice(t('date.nothing_since'))
  else goTo({ view: 'narrow', terms, near })
}

/** Asks for a day, and opens a narrow there. */
export function GoToDate(props: { terms: Term[]; close(): void }) {
  const [day, setDay] = createSignal('')
  const run = () => openAtDate(props.terms, day()).then(props.close, noticeFailure)
  return (
    <Dialog title={t('date.title')} close={props.close}>
      <Form submit={t('date.submit')} close={props.close} run={run}>
        <label>
          {t('date.day')}
          <input
            class="field"
            type="date"
            required
            autofocus
            max={today()}
            value={day()}
            onInput={(event) => setDay(event.currentTarget.value)}
          />
        </label>
      </Form>
    </Dialog>
  )
}

function today() {
  const now = new Date()
  return new Date(now.getTime() - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10)
}
