import { createEffect, createRoot, onCleanup } from 'solid-js'
import { ApiFailure, get, post } from '../../api/client.ts'
import { jitsiCall, providers } from '../../lib/call.ts'
import { t } from '../../lib/i18n.ts'
import { type Conversation, conversationKey } from '../../lib/route.ts'
import { draftTo, writeDraft } from '../../store/drafts.ts'
import { currentState, field } from '../../store/server-state.ts'
import { conversationName } from '../parts/conversation-name.ts'
import { isElsewhere } from '../parts/focus.ts'
import type { MenuEntry } from '../parts/menu.tsx'
import { notice, noticeFailure } from '../parts/notices.tsx'
import { insertAtCursor } from './area.ts'
import { callProvider, jitsiServer } from './call-provider.ts'
import type { Box } from './create-composer.ts'

/** An icon that no other screen has. */
const phone = 'M5 4h4l2 5-2.5 1.5a11 11 0 0 0 5 5L15 13l5 2v4a2 2 0 0 1-2 2A16 16 0 0 1 3 6a2 2 0 0 1 2-2z'

/** Offers to put the link of a video or voice call into the text. */
export const callEntries = (box: Box): MenuEntry[] => [
  { label: t('call.video'), icon: 'video', run: () => start(box, true) },
  { label: t('call.voice'), icon: phone, run: () => start(box, false) },
]

/** Creates a call at the organization's provider. Its link goes to the conversation in which it was asked for. */
function start(box: Box, isVideo: boolean) {
  const conversation = box.conversation()
  const insert = (url: string) =>
    insertLink(box, conversation, `[${t(isVideo ? 'call.join_video' : 'call.join_voice')}](${url})`)
  const provider = callProvider()
  if (provider === providers.jitsi) insert(jitsiCall(jitsiServer() ?? '', isVideo))
  if (provider === providers.bigBlueButton)
    void get<{ url: string }>('/calls/bigbluebutton/create', {
      meeting_name: [...conversationName(conversation)].slice(0, 200).join(''),
      voice_only: !isVideo,
    })
      .then(({ url }) => insert(url))
      .catch(noticeFailure)
  if (provider === providers.zoom) startZoom(isVideo, insert)
}

function startZoom(isVideo: boolean, insert: (url: string) => void) {
  const create = () =>
    post<{ url: string }>('/calls/zoom/create', { is_video_call: isVideo }).then(({ url }) => insert(url))
  const connectFirst = () => connectZoom(() => void create().catch(noticeFailure))
  if (!currentState().has_zoom_token) return connectFirst()
  void create().catch((error) => {
    const isToConnect = error instanceof ApiFailure && error.code === 'INVALID_ZOOM_TOKEN'
    if (isToConnect) connectFirst()
    else noticeFailure(error)
  })
}

/** How long the user may take to sign in to Zoom, in milliseconds. */
const patience = 10 * 60_000

let stopWaiting = () => {}

/** Lets the user sign in to Zoom in a window of its own, and goes on when the server says that it is done. */
function connectZoom(then: () => void) {
  stopWaiting()
  createRoot((dispose) => {
    stopWaiting = dispose
    const timer = setTimeout(dispose, patience)
    onCleanup(() => clearTimeout(timer))
    // A token that Zoom has refused may still be in the state; the event that takes it away comes first.
    let wasWithout = false
    createEffect(() => {
      if (!field('has_zoom_token')) wasWithout = true
      else if (wasWithout) {
        dispose()
        then()
      }
    })
  })
  if (openZoom()) return
  // A browser may refuse windows that no click has opened.
  notice(t('call.zoom_sign_in'), { offer: { label: t('call.zoom_open'), run: () => void openZoom() } })
}

function openZoom(): boolean {
  const opened = window.open('/calls/zoom/register', '_blank', 'popup,width=800,height=600')
  // The pages of Zoom have no business here.
  if (opened) opened.opener = null
  return opened !== null
}

/** Puts a text at the cursor, or below the text of the conversation if its box shows another one by now. */
function insertLink(box: Box, conversation: Conversation, link: string) {
  const area = box.area()
  if (area.isConnected && box.key() === conversationKey(conversation) && !isElsewhere(area)) {
    if (box.isPreviewing()) box.togglePreview()
    area.focus()
    const before = area.value[area.selectionStart - 1]
    insertAtCursor(area, before === undefined || /\s/.test(before) ? link : ` ${link}`)
    return
  }
  const before = draftTo(conversation)?.content.trimEnd()
  writeDraft(conversation, before ? `${before}\n\n${link}` : link)
}
