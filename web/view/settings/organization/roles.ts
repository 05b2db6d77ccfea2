import { type TextKey, t } from '../../../lib/i18n.ts'
import { field } from '../../../store/server-state.ts'

/** The roles of users, by their numbers in the API. */
export const roles = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const

const names: Record<number, TextKey> = {
  100: 'role.owner',
  200: 'role.admin',
  300: 'role.moderator',
  400: 'role.member',
  600: 'role.guest',
}

export function roleName(role: number): string {
  return t(names[role] ?? 'role.member')
}

/** The roles that this user may give: only owners make owners, and only administrators those who rule. */
export function rolesToGive(): number[] {
  const [isOwner, isAdministrator] = [field('is_owner'), field('is_admin')]
  return Object.values(roles).filter(
    (role) => isOwner || (isAdministrator ? role > roles.owner : role > roles.moderator),
  )
}
