import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import pg from 'pg'
import { expect, test } from 'vitest'
import { newDirectory, startServer } from '../../../test/command-line.ts'
import { newDatabase } from '../../../test/runner/database.ts'
import { hashKey } from '../../lib/secrets/hash-key.ts'

const page = async (link: string) => {
  const answer = await fetch(link, { headers: { accept: 'text/html' } })
  return { status: answer.status, text: await answer.text() }
}

test('the link of the first owner works for an hour, and each start makes it anew until it was used', async () => {
  const database = await newDatabase()
  const directory = await newDirectory()
  const file = join(directory, 'owner-link')
  const begin = async () => {
    const server = await startServer({ ROOKERY_DATA: directory, DATABASE_URL: database.url })
    const link = (await readFile(file, 'utf8').catch(() => '')).trim()
    return { server, link, at: (old: string) => old.replace(/:\d+\//, `:${server.port}/`) }
  }
  const client = new pg.Client({ connectionString: database.url })
  await client.connect()
  const links = async () =>
    (await client.query('SELECT hash, expires_at - created_at AS s FROM mail_link')).rows
  const hashOf = (link: string) => hashKey(link.split('/').at(-1)!)

  const first = await begin()
  expect(await links()).toEqual([{ hash: hashOf(first.link), s: 3_600 }])
  await client.query('UPDATE mail_link SET expires_at = created_at')
  const over = await page(first.link)
  expect(over.status).toBe(400)
  expect(over.text).toContain('If not, start the server again: it makes a new link')
  // It may still be needed to see that no password was chosen.
  expect(await readdir(directory)).toContain('owner-link')
  await first.server.stop('SIGTERM')

  const second = await begin()
  expect(second.link).not.toBe(second.at(first.link))
  expect(await links()).toEqual([{ hash: hashOf(second.link), s: 3_600 }])
  expect(second.server.stdout).toContain(
    `The owner has not chosen a password yet, which they do with the link in ${file}\n`,
  )
  expect(second.server.stdout).not.toContain(second.link)
  expect((await page(second.at(first.link))).status).toBe(400)
  expect((await page(second.link)).text).toContain('New password for owner@example.com')
  const body = new URLSearchParams({ password: 'a way in of their own' })
  expect((await fetch(second.link, { method: 'POST', body })).status).toBe(200)
  await expect.poll(() => readdir(directory)).not.toContain('owner-link')
  expect((await page(second.link)).text).toContain('If you have chosen a password with it, sign in.')
  await second.server.stop('SIGTERM')

  const third = await begin()
  expect(third.link).toBe('')
  expect(third.server.stdout).not.toContain('has not chosen')
  expect(await links()).toEqual([])
  await third.server.stop('SIGTERM')
  await client.end()
  await database.drop()
})

test('without its file, no link is made', async () => {
  const database = await newDatabase()
  const directory = await newDirectory()
  const environment = { ROOKERY_DATA: directory, DATABASE_URL: database.url }
  await (await startServer(environment)).stop('SIGTERM')
  await rm(join(directory, 'owner-link'))
  const again = await startServer(environment)
  expect(again.stdout).not.toContain('has not chosen')
  expect(await readdir(directory)).not.toContain('owner-link')
  await again.stop('SIGTERM')
  await database.drop()
})
