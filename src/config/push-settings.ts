import { anyText, httpUrl, onOff, optional, required } from './setting-kinds.ts'

/** The settings of notifications on phones. */
export const pushSettings = {
  pushRelayUrl: {
    ...optional('ROOKERY_PUSH_RELAY_URL', httpUrl(), 'none: notifications reach browsers only'),
    summary: 'The push relay that passes notifications on to phones: the URL below which its `v1/` is.',
  },
  pushRelayKey: {
    ...optional('ROOKERY_PUSH_RELAY_KEY', anyText(), 'none: the relay asks for none'),
    summary: 'The key that this server shows to the relay.',
    secret: true,
  },
  pushClearText: required(
    'ROOKERY_PUSH_CLEAR_TEXT',
    onOff(),
    'off',
    'Whether apps that do not encrypt notifications get texts of messages, which the relay can read then.',
  ),
}
