import { expect, test } from 'vitest'
import {
  ids,
  importedZulip,
  noon,
  recipients,
  zulipBasics,
  zulipFlags,
  zulipMessage,
  zulipRealm,
  zulipUser,
} from '../../../test/imports/zulip.ts'
import { look, png } from '../../../test/pictures.ts'
import { testServer } from '../../../test/test-server.ts'

const server = testServer()

test('files are uploads of their owners, and links in messages lead to them', async () => {
  const path = '2/ab/Abcdefghijklmnopqrstuvwx/report.txt'
  const record = { path, s3_path: path, realm_id: 2, user_profile_id: ids.ben, size: 5 }
  const upload = {
    id: 1,
    path_id: path,
    file_name: 'report.txt',
    owner: ids.ben,
    create_time: noon,
    messages: [1000],
  }
  const old = {
    ...upload,
    id: 2,
    path_id: '2/short/picture.png',
    file_name: 'picture.png',
    messages: undefined,
  }
  const { made, as, log } = await importedZulip(server, {
    messages: [
      {
        zerver_message: [
          zulipMessage(
            1000,
            ids.ben,
            recipients.secret,
            `[report](/user_uploads/${path}) [gone](/user_uploads/2/x/y/z.png)`,
          ),
          zulipMessage(
            1001,
            ids.ben,
            recipients.tea,
            'see https://acme.example.com/user_uploads/2/short/picture.png.',
          ),
          // To know the address of a file gives no access to it.
          zulipMessage(1002, ids.gus, recipients.tea, `/user_uploads/${path}`),
        ],
        zerver_usermessage: zulipFlags(ids.ben, { 1000: 1, 1001: 1 }),
      },
    ],
    files: {
      'attachment.json': {
        zerver_attachment: [
          upload,
          old,
          { ...upload, id: 3, path_id: '2/../../realm.json' },
          { ...upload, id: 4, path_id: '2/x/y/z.png' },
        ],
      },
      'uploads/records.json': [record],
      [`uploads/${path}`]: 'hello',
      'uploads/2/short/picture.png': await png(30, 20),
    },
  })
  expect(made.files).toBe(2)
  expect(made.leftOut).toEqual({ missingFiles: 2 })
  const [ann, ben, gus] = [await as('ann'), await as('ben'), await as('gus')]
  const { message } = (await ben.get('/messages/1000')).body
  const [, address = ''] = /href="(\/user_uploads\/[^"]*report.txt)"/.exec(message.content) ?? []
  expect(address).toBe(`/user_uploads/${log.state.id}/ab/Abcdefghijklmnopqrstuvwx/report.txt`)
  const loaded = await ben.raw({ method: 'GET', path: address })
  expect(loaded).toMatchObject({ status: 200, text: 'hello' })
  expect((await gus.raw({ method: 'GET', path: address })).status).toBe(403)
  const { attachments } = (await ben.get('/attachments')).body
  expect(attachments).toMatchObject([
    { name: 'report.txt', messages: [{ id: 1000 }], create_time: Math.floor(noon) * 1000 },
    { name: 'picture.png', messages: [{ id: 1001 }] },
  ])
  const picture = `/user_uploads/${attachments[1].path_id}`
  expect((await ann.get('/messages/1001')).body.message.content).toContain(`href="${picture.slice(1)}"`)
  expect(await look(ann, picture)).toMatchObject({ status: 200, width: 30 })
})

test('people, emoji and the organization keep their pictures', async () => {
  const emoji = (id: number, name: string, more: object = {}) => ({
    id,
    name,
    author: ids.ann,
    file_name: `${id}.png`,
    ...more,
  })
  const emojiFile = (id: number) => ({ path: `2/emoji/images/${id}.png`, file_name: `${id}.png` })
  const { made, as } = await importedZulip(server, {
    tables: {
      zerver_realm: [{ ...zulipRealm, icon_source: 'U', logo_source: 'U', night_logo_source: 'D' }],
      zerver_userprofile: [
        ...zulipBasics.zerver_userprofile!,
        zulipUser(30, 'Pia', { avatar_source: 'U' }),
        zulipUser(31, 'Lost', { avatar_source: 'U' }),
      ],
      zerver_realmemoji: [
        emoji(5, 'party'),
        emoji(6, 'olden', { deactivated: true }),
        emoji(7, 'broken'),
        emoji(8, 'No Name!'),
        emoji(9, 'tada', { deactivated: true }),
      ],
      zerver_reaction: [
        {
          id: 1,
          message: 1000,
          user_profile: ids.ann,
          emoji_name: 'party',
          emoji_code: '5',
          reaction_type: 'realm_emoji',
        },
      ],
      zerver_userstatus: [
        {
          id: 1,
          user_profile: 30,
          status_text: 'away',
          emoji_name: 'party',
          emoji_code: '5',
          reaction_type: 'realm_emoji',
        },
      ],
    },
    messages: [
      {
        zerver_message: [zulipMessage(1000, ids.ann, recipients.tea, ':party: :olden: :tada:')],
      },
    ],
    files: {
      'avatars/records.json': [
        { path: '2/x.png', user_profile_id: 30 },
        { path: '2/x.original', user_profile_id: 30 },
        { path: '../realm.json', user_profile_id: 31 },
      ],
      'avatars/2/x.original': await png(200),
      'emoji/records.json': [5, 6, 7, 8, 9].map(emojiFile),
      'emoji/2/emoji/images/5.png': await png(20),
      'emoji/2/emoji/images/6.png': await png(20),
      'emoji/2/emoji/images/7.png': 'no picture',
      'emoji/2/emoji/images/8.png': await png(20),
      'emoji/2/emoji/images/9.png': await png(20),
      'realm_icons/records.json': [{ path: '2/icon.png' }, { path: '2/logo.original' }],
      'realm_icons/2/icon.png': await png(50),
      'realm_icons/2/logo.original': await png(80, 20),
    },
  })
  expect(made).toMatchObject({ avatars: 1, leftOut: { lostPictures: 3 } })
  const pia = await as('pia')
  const { state } = await pia.register()
  expect(await look(pia, state.avatar_url_medium)).toMatchObject({ status: 200, width: 500 })
  expect(Object.values(state.realm_emoji)).toMatchObject([
    { id: '5', name: 'party', deactivated: false, author_id: ids.ann },
    { id: '6', name: 'olden', deactivated: true },
    { id: '9', name: 'tada', deactivated: true },
  ])
  const { message } = (await pia.get('/messages/1000')).body
  expect(message.content).toContain('alt=":party:"')
  // Messages keep the picture of an emoji that is withdrawn, unless everyone has one of that name.
  expect(message.content).toContain('alt=":olden:"')
  expect(message.content).toContain('emoji-1f389')
  expect(message.reactions).toMatchObject([{ emoji_code: '5', reaction_type: 'realm_emoji' }])
  expect(state.user_status[30]).toMatchObject({ status_text: 'away', emoji_code: '5' })
  expect(state).toMatchObject({
    realm_icon_source: 'U',
    realm_logo_source: 'U',
    realm_night_logo_source: 'D',
  })
  expect((await look(pia, state.realm_icon_url)).status).toBe(200)
})
