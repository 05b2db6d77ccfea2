import { chmod, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newDirectory, runHere } from '../../../test/command-line.ts'
import { testServer } from '../../../test/test-server.ts'

const here = testServer()

test('doctor names the user groups that are to follow others and are not there', async () => {
  const { owner, log } = await here.organization()
  const people = JSON.stringify([owner.id])
  const made = { name: 'Engineers', description: '', members: people }
  expect((await owner.post('/user_groups/create', made)).status).toBe(200)
  const stdout = await doctor({
    ROOKERY_OIDC_ISSUER: 'http://127.0.0.1:1',
    ROOKERY_OIDC_CLIENT_ID: 'chat',
    ROOKERY_SIGN_ON_GROUPS: 'eng=engineers; ops=operators; ops=operators',
  })
  expect(stdout).toContain(
    `warn  ROOKERY_SIGN_ON_GROUPS names the user group operators, which is not in ${log.state.row.name}\n`,
  )
  expect(stdout.match(/names the user group/g)).toHaveLength(1)
})

test('doctor finds an owner without a password, and a server that logs in anyone as any user', async () => {
  const directory = await newDirectory()
  await writeFile(join(directory, 'owner-link'), '')
  const stdout = await doctor({
    ROOKERY_DATA: directory,
    ROOKERY_URL: 'http://127.0.0.2:1',
    ROOKERY_DEVELOPMENT_LOGIN: 'on',
  })
  expect(stdout).toContain(
    `warn  the first owner has not chosen a password: the link for it is in ${directory}/owner-link\n`,
  )
  expect(stdout).toContain('FAIL  anyone can log in as any user, without a password\n')
  expect(await doctor({ ROOKERY_DEVELOPMENT_LOGIN: 'on' })).not.toContain('anyone can log in')
})

test('doctor names the files with keys and passwords that all users of the machine can read', async () => {
  const directory = await newDirectory()
  const mode = async (name: string, mode: number) => {
    await writeFile(join(directory, name), '')
    await chmod(join(directory, name), mode)
  }
  await mode('zuliprc', 0o644)
  await mode('rookery.env', 0o640)
  await mode('owner-link', 0o600)
  const stdout = await doctor({ ROOKERY_DATA: directory })
  const file = join(directory, 'zuliprc')
  expect(stdout.match(/.*can be read by all users.*\n.*/g)).toEqual([
    `warn  ${file} can be read by all users\n      chmod o= ${file}`,
  ])
})

test('doctor says how many connections are too many', async () => {
  expect(await doctor({ ROOKERY_DATABASE_CONNECTIONS: '100', ROOKERY_WORKERS: '8' })).toMatch(
    /^warn {2}up to 800 connections for the server, of \d+ that the database takes\n {6}Lower/m,
  )
})

async function doctor(environment: Record<string, string>) {
  const settings = { DATABASE_URL: here.databaseUrl, ROOKERY_DATA: await newDirectory(), PORT: '0' }
  return (await runHere('doctor', { ...settings, ...environment })).stdout
}
