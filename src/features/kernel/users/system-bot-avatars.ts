import type { AccountRow } from '../../../db/schema.ts'
import type { Document } from '../../../http/responses/document.ts'
import { firstIn } from '../../../lib/must.ts'
import { avatarName } from '../avatars/avatar-names.ts'
import { drawingAsPng } from '../pictures/drawing.ts'
import { systemBots } from '../settings/system-bots.ts'

/** The pictures of the system bots. */
export const systemBotAvatars: Document[] = [
  ...avatarsOf(systemBots.notification.email, '#4a7ba6'),
  ...avatarsOf(systemBots.welcome.email, '#5c9a64'),
  ...avatarsOf(systemBots.emailGateway.email, '#a0704f'),
]

/** Returns the path of a system bot's picture, below the organization's address; `medium` is the larger size. */
export function systemBotAvatarPath(bot: AccountRow, medium: boolean): string {
  return avatarPath(bot.delivery_email, medium)
}

function avatarsOf(email: string, color: string): Document[] {
  const drawing = face(color)
  return [
    drawingAsPng(avatarPath(email, false), drawing, 100),
    drawingAsPng(avatarPath(email, true), drawing, 500),
  ]
}

function avatarPath(email: string, medium: boolean) {
  return `/static/avatars/${avatarName(firstIn(email.split('@')), { medium })}`
}

/** Draws a robot's face, as SVG. */
function face(color: string) {
  const eyes = '<circle cx="37" cy="50" r="6"/><circle cx="63" cy="50" r="6"/>'
  return (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 100" width="500" height="500">' +
    `<rect width="100" height="100" fill="${color}"/>` +
    '<path d="M50 32V20" stroke="#fff" stroke-width="4"/><circle cx="50" cy="17" r="5" fill="#fff"/>' +
    '<rect x="20" y="32" width="60" height="46" rx="12" fill="#fff"/>' +
    `<g fill="${color}">${eyes}<rect x="36" y="63" width="28" height="5" rx="2"/></g></svg>`
  )
}
