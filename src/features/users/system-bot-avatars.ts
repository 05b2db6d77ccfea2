import type { AccountRow } from '../../db/schema.ts'
import type { Document } from '../../http/document.ts'
import { systemBots } from '../realm/system-bots.ts'

const colors = ['#4a7ba6', '#5c9a64', '#a0704f']

/** The pictures of the bots that every organization has. */
export const systemBotAvatars: Document[] = systemBots.map(({ email }, i) => ({
  path: avatarPath(email),
  contentType: 'image/svg+xml',
  maxAge: 86_400,
  body: async () => [picture(colors[i]!)],
}))

/** Where the picture of a system bot is, below the organization's address. */
export function systemBotAvatarPath(bot: AccountRow): string {
  return avatarPath(bot.delivery_email)
}

function avatarPath(email: string) {
  return `/static/avatars/${email.split('@')[0]}.svg`
}

/** A face of a robot. */
function picture(color: string) {
  const eyes = '<circle cx="37" cy="50" r="6"/><circle cx="63" cy="50" r="6"/>'
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="500" height="500">' +
    `<rect width="100" height="100" fill="${color}"/>` +
    '<path d="M50 32V20" stroke="#fff" stroke-width="4"/><circle cx="50" cy="17" r="5" fill="#fff"/>' +
    '<rect x="20" y="32" width="60" height="46" rx="12" fill="#fff"/>' +
    `<g fill="${color}">${eyes}<rect x="36" y="63" width="28" height="5" rx="2"/></g></svg>`
  )
}
