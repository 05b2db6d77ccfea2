/** The values of `account.role`. A lower number has more rights. */
export const roles = { owner: 100, administrator: 200, moderator: 300, member: 400, guest: 600 } as const
