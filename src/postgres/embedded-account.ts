import { lchown, readdir, readFile, stat } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { ignore } from '../lib/guard.ts'

/** An operating-system user that PostgreSQL runs as. */
export interface Account {
  readonly name: string
  readonly uid: number
  readonly gid: number
}

/**
 * Returns the user to run PostgreSQL as, which refuses to be root; undefined means our own. A cluster that has an owner
 * keeps it, and one that root has made gets that of the directory above: the user who runs the server. If both belong to root,
 * the user `postgres` or `nobody` is taken.
 */
export async function systemAccountFor(cluster: string): Promise<Account | undefined> {
  if (process.geteuid?.() !== 0) return undefined
  const users = await systemUsers()
  const owner = await ownerOf(cluster)
  if (owner && owner.uid !== 0) {
    const name = users.find((user) => user.uid === owner.uid)?.name ?? String(owner.uid)
    return { name, uid: owner.uid, gid: owner.gid }
  }
  const above = await ownerOf(dirname(cluster))
  const known = users.find((each) => each.uid !== 0 && each.uid === above?.uid)
  if (known) return known
  for (const name of ['postgres', 'nobody']) {
    const user = users.find((each) => each.name === name && each.uid !== 0)
    if (user) return user
  }
  throw new Error(
    'PostgreSQL does not run as root, and there is no user postgres or nobody to run it as: ' +
      'add one, start the server as another user, or set DATABASE_URL.',
  )
}

function ownerOf(path: string) {
  return stat(path).catch(ignore)
}

/** The name of the user this process runs as. PostgreSQL asks for it and does not work without. */
export function ownName(): string {
  try {
    return userInfo().username
  } catch {
    throw new Error(
      `PostgreSQL needs a user name, and the user id ${process.geteuid?.()} has none: ` +
        'add it to /etc/passwd, start the server as another user, or set DATABASE_URL.',
    )
  }
}

/** Makes the account the owner of a directory and of all that is in it. */
export async function giveTo(account: Account | undefined, path: string): Promise<void> {
  if (!account) return
  for (const entry of await readdir(path, { recursive: true })) {
    await lchown(join(path, entry), account.uid, account.gid)
  }
  await lchown(path, account.uid, account.gid)
}

async function systemUsers(): Promise<Account[]> {
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n')
  return lines.map((line) => {
    const [name = '', , uid, gid] = line.split(':')
    return { name, uid: Number(uid), gid: Number(gid) }
  })
}
