import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parseSettings, writtenSettings } from './settings-file.ts'
import { serverSources } from './sources.ts'

let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'rookery-test-'))
})

afterAll(() => rm(directory, { recursive: true, force: true }))

async function write(name: string, text: string): Promise<string> {
  await writeFile(join(directory, name), text)
  return join(directory, name)
}

test('a file has lines as systemd and Docker read them', () => {
  const text = `\uFEFF# a comment\r\n\n  ; another\nROOKERY_ORGANIZATION="Böhm \\"& \\\\ Söhne"\nPORT = 1`
  expect(() => parseSettings(text, 'x.env')).toThrow('Line 5 of x.env is not like NAME=value.')
  const variables = parseSettings(
    text.replace('PORT = 1', "PORT=80 \nROOKERY_URL='http://a#b'\nHOST="),
    'x.env',
  )
  expect(variables).toEqual({
    ROOKERY_ORGANIZATION: 'Böhm "& \\ Söhne',
    PORT: '80',
    ROOKERY_URL: 'http://a#b',
    HOST: '',
  })
  expect(parseSettings(writtenSettings(variables), 'x.env')).toEqual(variables)
})

test.each([
  ['ROOKERY_PROT=1', 'Line 1 of x.env sets ROOKERY_PROT, which is not a setting; did you mean '],
  ['NODE_EXTRA_CA_CERTS=ca.pem', 'Line 1 of x.env sets NODE_EXTRA_CA_CERTS, which is not a setting'],
  ['PORT_FILE=port', 'Line 1 of x.env sets PORT_FILE, which is not a setting'],
  ['PORT=1\nPORT=2', 'Line 2 of x.env sets PORT, which an earlier line sets, too.'],
  ['ROOKERY_SECRET="open', 'Line 1 of x.env lacks the closing ".'],
  ['a password', 'Line 1 of x.env is not like NAME=value.'],
])('the fault of %j names the line and no value', (text, fault) => {
  expect(() => parseSettings(text, 'x.env')).toThrow(fault)
  expect(() => parseSettings(text, 'x.env')).not.toThrow(/open|password|ca\.pem/)
})

test('a setting is taken from the environment, a credential or the file, in this order', async () => {
  const file = await write(
    'rookery.env',
    'HOST=::1\nPORT=81\nROOKERY_SECRET=of the file\nNATS_URL=nats://file\n',
  )
  await write('ROOKERY_SECRET', 'of the credential\n')
  await write('NATS_URL', 'nats://credential')
  const given = { ROOKERY_DATA: directory, PORT: '82', CREDENTIALS_DIRECTORY: directory, NATS_URL: '' }
  const { environment, unread, origins } = await serverSources(given, {})
  expect(environment).toMatchObject({
    HOST: '::1',
    PORT: '82',
    ROOKERY_SECRET: 'of the credential',
    NATS_URL: '',
  })
  expect(unread).toMatchObject({ HOST: '::1', ROOKERY_SECRET_FILE: join(directory, 'ROOKERY_SECRET') })
  expect(JSON.stringify(unread)).not.toContain('of the')
  expect(Object.fromEntries(origins)).toMatchObject({
    HOST: file,
    PORT: 'environment',
    ROOKERY_SECRET: `systemd credential: ${join(directory, 'ROOKERY_SECRET')}`,
  })
})

test('a secret is read from the file that its second name gives, relative to the file of settings', async () => {
  const file = await write('own.env', `ROOKERY_DATA=${directory}\nROOKERY_SMTP_URL_FILE=smtp\n`)
  await write('smtp', 'smtp://mail\r\n')
  const { environment } = await serverSources(
    { DATABASE_URL_FILE: join(directory, 'smtp') },
    { config: file },
  )
  expect(environment).toEqual({
    ROOKERY_DATA: directory,
    ROOKERY_SMTP_URL: 'smtp://mail',
    DATABASE_URL: 'smtp://mail',
  })
  const nearer = await serverSources({ ROOKERY_SMTP_URL: 'smtp://near' }, { config: file })
  expect(nearer.environment.ROOKERY_SMTP_URL).toBe('smtp://near')
})

test.each([
  [
    { ROOKERY_SECRET_FILE: '/nonexistent' },
    /^ROOKERY_SECRET_FILE is "\/nonexistent", which cannot be read: ENOENT/,
  ],
  [{ ROOKERY_SECRET_FILE: '/dev/null' }, 'ROOKERY_SECRET_FILE is "/dev/null", which is empty.'],
  [{ NATS_URL_FILE: '/dev/null', NATS_URL: 'nats://a' }, 'NATS_URL and NATS_URL_FILE are both set'],
  [{ CREDENTIALS_DIRECTORY: '/nonexistent' }, /^The credentials in \/nonexistent cannot be read/],
])('%j is refused', async (environment, fault) => {
  await expect(serverSources({ ROOKERY_DATA: '/nonexistent', ...environment }, {})).rejects.toThrow(fault)
})

test('a named file must exist, and the one in the data directory does not name another directory', async () => {
  await expect(serverSources({}, { config: '/nonexistent' })).rejects.toThrow(
    /^The settings in \/nonexistent cannot be read: ENOENT/,
  )
  await write('rookery.env', 'ROOKERY_DATA=elsewhere\n')
  await expect(serverSources({}, { data: directory })).rejects.toThrow(
    `${directory}/rookery.env sets ROOKERY_DATA, but is found by it`,
  )
})
