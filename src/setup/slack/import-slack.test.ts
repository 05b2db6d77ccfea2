import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { newDirectory } from '../../../test/command-line.ts'
import { basics, importedFrom, noon, slackMessage, slackPerson } from '../../../test/imports/slack.ts'
import { zipOf } from '../../../test/imports/zip.ts'
import { foundBy } from '../../../test/messages.ts'
import { png } from '../../../test/pictures.ts'
import { testServer } from '../../../test/test-server.ts'
import { FetchError } from '../../adapters/safe-fetch.ts'
import { databaseLimits } from '../../db/limits.ts'
import { SlackExport } from './slack-export.ts'

const all = testServer()

describe('people', () => {
  test('have their roles, time zones and addresses; those without one cannot log in', async () => {
    const { made, ann } = await importedFrom(all, basics)
    expect(made).toMatchObject({ accounts: 6, channels: 2, addressless: 1, owner: 'ann@example.com' })
    const { members } = (await ann.get('/users')).body
    const byName = new Map(members.map((member: { full_name: string }) => [member.full_name, member]))
    expect(byName.get('Ann')).toMatchObject({ role: 100, is_active: true, user_id: ann.id })
    expect(byName.get('Ben')).toMatchObject({ role: 200, timezone: 'Europe/Berlin' })
    expect(byName.get('Gus')).toMatchObject({ role: 600 })
    expect(byName.get('Gone')).toMatchObject({ is_active: false, delivery_email: 'gone@example.com' })
    expect(byName.get('Hasnoaddress')).toMatchObject({ is_active: false })
    expect(byName.get('Deploy')).toMatchObject({ is_active: false, is_bot: true, bot_owner_id: ann.id })
  })

  test('of another workspace, with which channels are shared, are deactivated guests', async () => {
    const enterprise_user = { enterprise_id: 'E1' }
    const { made, ann } = await importedFrom(all, {
      ...basics,
      'users.json': [
        slackPerson('U1', 'Ann', { is_owner: true, is_primary_owner: true, team_id: 'T1', enterprise_user }),
        slackPerson('U2', 'Ben', { team_id: 'T1' }),
        slackPerson('U3', 'Cem', { team_id: 'T2', enterprise_user }),
        slackPerson('U4', 'Ext', { team_id: 'T9', is_admin: true, enterprise_user: { enterprise_id: 'E2' } }),
        slackPerson('U5', 'Str', { is_stranger: true }),
      ],
    })
    const { members } = (await ann.get('/users')).body
    const byName = Object.fromEntries(members.map((one: { full_name: string }) => [one.full_name, one]))
    expect(byName).toMatchObject({
      Ben: { role: 400, is_active: true },
      Cem: { role: 400, is_active: true },
      Ext: { role: 600, is_active: false },
      Str: { role: 600, is_active: false },
    })
    expect(made).toMatchObject({ addressless: 0 })
  })

  test('are refused without an owner who can log in, and nothing remains', async () => {
    const nobody = { 'users.json': [slackPerson('U2', 'Ben')], 'channels.json': [] }
    await expect(importedFrom(all, nobody, { name: 'Nobody' })).rejects.toThrow(
      /no email address of an owner/,
    )
    const { read } = all.node.app.realms.databases.main
    expect(await read.selectFrom('realm').where('name', '=', 'Nobody').select('id').execute()).toEqual([])
  })
})

describe('channels', () => {
  test('keep members, descriptions and states; private ones stay hidden', async () => {
    const { ann, as } = await importedFrom(all, {
      ...basics,
      'groups.json': [{ id: 'G1', name: 'board', members: ['U1'] }],
      'board/2023-11-15.json': [slackMessage('U1', noon, 'secret')],
    })
    const { subscriptions } = (await ann.get('/users/me/subscriptions', { include_subscribers: true })).body
    const general = subscriptions.find(({ name }: { name: string }) => name === 'general')
    expect(general).toMatchObject({ description: 'All of Ann & us', date_created: 1_600_000_000 })
    expect(general.subscribers).toHaveLength(3)
    const ben = await as('ben@example.com')
    const names = (await ben.get('/streams')).body.streams.map(({ name }: { name: string }) => name)
    expect(names).toEqual(['general'])
    expect(await foundBy(ben)).toEqual([])
    expect(await foundBy(ann)).toMatchObject([{ content: '<p>secret</p>', display_recipient: 'board' }])
  })
})

test('channels keep names in all letters, however the ZIP file spells them', async () => {
  const { made } = await importedFrom(all, {
    ...basics,
    'channels.json': [
      { id: 'C1', name: 'büro', members: ['U1'] },
      { id: 'C2', name: '営業ﾋﾞｭｰ', members: ['U1'] },
    ],
    [`${'büro'.normalize('NFD')}/2023-11-15.json`]: [slackMessage('U1', noon, 'hallo')],
    '営業ビュー/2023-11-15.json': [slackMessage('U1', noon, 'hello')],
  })
  expect(made).toMatchObject({ channels: 2, messages: 2 })
})

test('folders that no list names are told of', async () => {
  const { made } = await importedFrom(all, {
    ...basics,
    'FC:F1:Plan/2023-11-15.json': [slackMessage('U1', noon, 'of a canvas')],
    'secret/2023-11-15.json': [slackMessage('U1', noon, 'hello')],
    'secret/2023-11-16.json': [],
  })
  expect(made).toMatchObject({ messages: 0, unknownFolders: ['secret'] })
})

test('who has made a private channel and left it knows it no more', async () => {
  const { as } = await importedFrom(all, {
    ...basics,
    'users.json': [slackPerson('U1', 'Ann', { is_owner: true }), slackPerson('U2', 'Ben')],
    'groups.json': [{ id: 'G1', name: 'cabal', creator: 'U2', members: ['U1'] }],
  })
  const { state } = await (await as('ben@example.com')).register()
  expect(JSON.stringify(state)).not.toContain('cabal')
})

test('an import may pause for longer than a request may', async () => {
  const pause = () => setTimeout(databaseLimits.silenceSeconds * 1000 + 500)
  expect((await importedFrom(all, basics, { pause })).made).toMatchObject({ channels: 2 })
})

describe('files', () => {
  const file = (id: string, size: number) => ({
    id,
    name: `${id}.txt`,
    title: `The ${id}`,
    size,
    url_private_download: `https://files.slack.example/${id}?t=xoxe-key`,
    permalink: `https://acme.slack.example/files/${id}`,
  })
  const files = [file('F1', 5), file('F2', 9), { id: 'F3', mode: 'tombstone' }]
  const withFiles = {
    ...basics,
    'general/2023-11-15.json': [slackMessage('U2', noon, 'look', { files })],
  }

  test('are fetched, and are uploads of their author; a page to log in is none', async () => {
    const { ann, as, made } = await importedFrom(all, withFiles, {
      fetch: async (url) => {
        if (String(url).includes('F2')) throw new FetchError('timeout', 'It took too long')
        return { status: 200, headers: new Headers(), body: Buffer.from('hello'), url: new URL(url) }
      },
    })
    expect(made).toMatchObject({ files: 1, missingFiles: 1 })
    const [{ content } = { content: '' }] = await foundBy(ann)
    const [, path] = /<a href="(\/user_uploads\/[^"]+)">The F1<\/a>/.exec(content) ?? []
    expect(content).toContain('<a href="https://acme.slack.example/files/F2">The F2</a>')
    expect(content).not.toContain('xoxe')
    const { text } = await ann.raw({ method: 'GET', path: path! })
    expect(text).toBe('hello')
    const ben = await as('ben@example.com')
    expect((await ben.get('/attachments')).body).toMatchObject({
      upload_space_used: 5,
      attachments: [{ name: 'F1.txt', size: 5, messages: [{}] }],
    })
  })

  test('are asked for again when Slack was asked for too many', async () => {
    let refused = 0
    const { made } = await importedFrom(all, withFiles, {
      fetch: async (url) => {
        const isTooMany = String(url).includes('F1') && refused++ < 2
        const headers = new Headers({ 'retry-after': '0' })
        const body = Buffer.from(isTooMany ? '' : 'hello')
        return { status: isTooMany ? 429 : 200, headers, body, url: new URL(url) }
      },
    })
    expect(made).toMatchObject({ files: 1, missingFiles: 1 })
    expect(refused).toBe(3)
  })

  test('stay at Slack if the import is told so', async () => {
    const { ann, made } = await importedFrom(all, withFiles)
    expect(made).toMatchObject({ files: 0, missingFiles: 2 })
    const [{ content } = { content: '' }] = await foundBy(ann)
    expect(content).toContain('<a href="https://acme.slack.example/files/F1">The F1</a>')
  })
})

test('the pictures that people have chosen become their avatars; a page in place of one does not', async () => {
  const picture = (id: string) => ({
    image_original: `https://avatars.slack.example/${id}.png`,
    image_512: `https://avatars.slack.example/${id}_512.png`,
  })
  const people = [
    slackPerson('U1', 'Ann', { is_owner: true }, picture('ann')),
    slackPerson('U2', 'Ben', {}, picture('ben')),
    slackPerson('U3', 'Gus', {}, { image_512: 'https://avatars.slack.example/drawn_512.png' }),
  ]
  const asked: string[] = []
  const { ann, made } = await importedFrom(
    all,
    { ...basics, 'users.json': people },
    {
      fetch: async (url) => {
        asked.push(String(url))
        const body = String(url).includes('ann') ? await png(600, 600) : Buffer.from('<html>')
        return { status: 200, headers: new Headers(), body, url: new URL(url) }
      },
    },
  )
  expect(asked).toEqual(['ann', 'ben'].map((name) => `https://avatars.slack.example/${name}_512.png`))
  expect(made.avatars).toBe(1)
  const { members } = (await ann.get('/users', { client_gravatar: false })).body
  const addresses = Object.fromEntries(
    members.map((member: { full_name: string; avatar_url: string }) => [member.full_name, member.avatar_url]),
  )
  expect(addresses.Ben).toContain('/drawn/')
  expect(addresses.Ann).not.toContain('/drawn/')
  const { status, headers } = await ann.raw({ method: 'GET', path: addresses.Ann })
  expect({ status, type: headers['content-type'] }).toEqual({ status: 200, type: 'image/png' })
})

test('files of other services are links to them, and older exports name one file', async () => {
  const old = { id: 'F1', name: 'a.txt', permalink: 'https://acme.slack.example/files/F1?t=xoxe-1-Key' }
  const page = { id: 'F2', title: 'Plan', is_external: true, url_private: 'https://docs.example/plan' }
  const { ann, made } = await importedFrom(all, {
    ...basics,
    'general/2023-11-15.json': [
      slackMessage('U2', noon, 'look', { file: old, subtype: 'file_share' }),
      slackMessage('U2', noon, 'see', { files: [page] }),
      { type: 'message', subtype: 'file_comment', ts: noon, text: 'nice', comment: { user: 'U3' } },
    ],
  })
  const found = await foundBy(ann)
  expect(found[0]!.content).toContain('<a href="https://acme.slack.example/files/F1">a.txt</a>')
  expect(found[1]!.content).toContain('<a href="https://docs.example/plan">Plan</a>')
  expect(found[2]).toMatchObject({ sender_full_name: 'Gus' })
  expect(made).toMatchObject({ missingFiles: 1 })
})

describe('what is no export', () => {
  const open = async (content: Buffer) => {
    const path = join(await newDirectory(), 'wrong.zip')
    await writeFile(path, content)
    return SlackExport.open(path)
  }

  test('is refused with a sentence', async () => {
    await expect(open(Buffer.from('no ZIP file at all, but a text'))).rejects.toThrow()
    await expect(open(zipOf({ 'a.json': [] }))).rejects.toThrow(/no export of Slack/)
    const damaged = { ...basics, 'general/2023-11-15.json': '[{"type":' }
    await expect(importedFrom(all, damaged)).rejects.toThrow(
      /damaged: general\/2023-11-15.json cannot be read/,
    )
  })
})
