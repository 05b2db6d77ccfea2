import { roles } from '../../db/roles.ts'
import type { AccountRow } from '../../db/schema.ts'
import { UsageError } from '../command.ts'

/** The permissions that only this command grants, with their columns. */
export const permissions = {
  'create-users': 'can_create_users',
  'change-emails': 'can_change_user_emails',
} as const

type Permission = keyof typeof permissions

export function roleNamed(name: string): number {
  const role = Object.entries(roles).find(([known]) => known === name)?.[1]
  if (role !== undefined) return role
  throw new UsageError(`There is no role ${name}; there are ${Object.keys(roles).join(', ')}.`)
}

export function roleName({ role }: Pick<AccountRow, 'role'>): string {
  return Object.entries(roles).find(([, number]) => number === role)?.[0] ?? String(role)
}

export function permissionNamed(name: string): Permission {
  if (Object.hasOwn(permissions, name)) return name as Permission
  throw new UsageError(`There is no permission ${name}; there are ${Object.keys(permissions).join(' and ')}.`)
}

export function permissionsOf(user: AccountRow): string[] {
  return Object.entries(permissions).flatMap(([name, column]) => (user[column] ? [name] : []))
}

/** A user as commands print it for programs. */
export function userData(user: AccountRow) {
  return {
    id: user.id,
    email: user.delivery_email,
    full_name: user.full_name,
    role: roleName(user),
    is_active: user.is_active,
    is_bot: user.bot_type !== null,
    permissions: permissionsOf(user),
  }
}
