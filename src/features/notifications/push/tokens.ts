import type { AccountRow } from '../../../db/schema.ts'
import type { CommandContext } from '../../../http/endpoint.ts'
import { text } from '../../../http/params.ts'
import { badRequest } from '../../../lib/api-error.ts'
import { isLonger } from '../../../lib/text/characters.ts'
import type { Commit } from '../../../log/realm-log.ts'
import { addDevice, deviceLogin, findDevice, isOfAnother, removeDevice } from '../../kernel/push/devices.ts'
import { base64Pattern, isLenientBase64 } from './base64.ts'
import { pushLimits } from './limits.ts'

type TokenKind = 'fcm' | 'apns'

/** The length is checked below, because its error has a text of its own. */
export const tokenParam = () => text().documentedAs({ minLength: 1, maxLength: pushLimits.pushTokenLength })

/** A token of Apple's push service. isLenientBase64 says which other forms are accepted. */
export const apnsTokenParam = () =>
  text().documentedAs({ minLength: 4, maxLength: pushLimits.pushTokenLength, pattern: base64Pattern })

/** Stores the token of an app without encryption. Storing it again only notes the login. */
export async function addToken(
  { me, request, commit }: Pick<CommandContext, 'me' | 'request' | 'commit'>,
  kind: TokenKind,
  token: string,
  appId?: string,
) {
  const login = deviceLogin(request)
  checkToken(kind, token)
  await commit(async (change) => {
    const known = findDevice(change.state, me.id, kind, token)
    if (!known) {
      const device = { user_id: me.id, kind, address: token, state: 'active', app_id: appId ?? null }
      await addDevice(change, { ...device, ...login })
    } else if (isOfAnother(known, login)) await change.update('push_device', { id: known.id, ...login })
  })
}

export async function removeToken(commit: Commit, me: AccountRow, kind: TokenKind, token: string) {
  checkToken(kind, token)
  await commit(async (change) => {
    const device = findDevice(change.state, me.id, kind, token)
    if (!device) throw badRequest('Token does not exist')
    await removeDevice(change, device)
  })
}

function checkToken(kind: TokenKind, token: string) {
  if (token === '' || isLonger(token, pushLimits.pushTokenLength)) {
    throw badRequest('Empty or invalid length token')
  }
  if (kind === 'apns' && !isLenientBase64(token)) throw badRequest('Invalid APNS token')
}
