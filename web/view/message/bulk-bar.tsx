import { createEffect, createMemo, onCleanup } from 'solid-js'
import { onActions } from '../../lib/actions.ts'
import { t } from '../../lib/i18n.ts'
import type { MessageWindow } from '../../store/message-window.ts'
import { hasFlag, type Message, message } from '../../store/messages.ts'
import { clearMarks, marked } from '../feed/marking.ts'
import { later, openDialog } from '../parts/dialog.tsx'
import type { IconName } from '../parts/icon.tsx'
import { copyAll, starAll } from './bulk.ts'
import { BulkDelete, BulkMove } from './bulk-dialogs.tsx'
import { type BulkAct, BulkToolbar } from './bulk-toolbar.tsx'
import { mayMove } from './message-acts.ts'
import { deleteDeadline, isOpen } from './permissions.ts'

/** Shows the actions for the selected messages. Keys for one message then act on all of them. */
export function BulkBar(props: { messages: MessageWindow }) {
  /** In the order of the feed; those that have gone in the meantime do not count. */
  const chosen = createMemo(() => {
    const here = props.messages.ids().filter((id) => marked().has(id))
    return here.map((id) => message(id)).filter((one) => one !== undefined)
  })
  createEffect(() => chosen().length === 0 && clearMarks())
  const acts = () => actsFor(chosen())
  const run = (icon: IconName) => () => {
    const act = acts().find((one) => one.icon === icon)
    if (act && act.refusal === undefined) act.run()
  }
  onCleanup(onActions({ move: run('move'), forward: run('send'), star: run('star'), escape: clearMarks }))
  return <BulkToolbar label={t('bulk.label')} count={chosen().length} acts={acts()} end={clearMarks} />
}

function actsFor(chosen: Message[]): BulkAct[] {
  const movable = chosen.filter(mayMove).length
  const deletable = chosen.filter((one) => isOpen(deleteDeadline(one))).length
  const refusal = (count: number) =>
    count === chosen.length ? undefined : t('bulk.only_some', { count, all: chosen.length })
  const isStarred = chosen.every((one) => hasFlag(one, 'starred'))
  return [
    {
      name: t('message.move'),
      icon: 'move',
      refusal: refusal(movable),
      run: () => openDialog((close) => <BulkMove messages={chosen} close={close} />),
    },
    {
      name: t('message.forward'),
      icon: 'send',
      run: () =>
        later(
          () => import('../search/jump.tsx'),
          ({ Forward }, close) => <Forward messages={chosen} close={close} />,
        ),
    },
    {
      name: t(isStarred ? 'message.unstar' : 'message.star'),
      icon: 'star',
      run: () => starAll(chosen),
    },
    { name: t('code.copy'), icon: 'copy', run: () => copyAll(chosen) },
    {
      name: t('message.delete'),
      icon: 'trash',
      isDangerous: true,
      refusal: refusal(deletable),
      run: () => openDialog((close) => <BulkDelete messages={chosen} close={close} />),
    },
  ]
}
