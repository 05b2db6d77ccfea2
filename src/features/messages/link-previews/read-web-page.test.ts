import { describe, expect, test } from 'vitest'
import type { Organization } from '../../../../test/organization.ts'
import { type LinkedPage, linkedSite } from '../../../../test/programs/linked-site.ts'
import { testServer } from '../../../../test/test-server.ts'
import { safeFetch } from '../../../adapters/safe-fetch.ts'

const all = testServer({ adapters: { fetch: safeFetch({ mayReach: () => true }) } })
const site = await linkedSite()

/** The previews that a message shows once all pages have been read. */
async function previewsOf(content: string, org?: Organization) {
  org ??= await all.organization()
  await org.owner.patch('/realm', { inline_url_embed_preview: true })
  const { body } = await org.owner.post('/messages', { type: 'direct', to: [org.owner.id], content })
  await all.workOff()
  const html: string = (await org.owner.get(`/messages/${body.id}`)).body.message.content
  return {
    html,
    titles: [...html.matchAll(/message_embed_title"><a [^>]*>([^<]*)</g)].map(([, title]) => title),
  }
}

test('pages in quotes and spoilers, pictures, and own pages have no preview, and only the first few do', async () => {
  const org = await all.organization()
  const own = `${(await org.owner.get('/server_settings')).body.realm_url}/help`
  const others = [1, 2, 3, 4, 5, 6].map((n) => site.page(`/${n}`, `<title>Page ${n}</title>`))
  const hidden = site.page('/hidden', '<title>Hidden</title>')
  site.page('/a.png', '<title>Picture</title>')
  const content = [
    `> ${hidden}\n`,
    `\`\`\`spoiler title\n${hidden}\n\`\`\`\n\`${hidden}\``,
    `${site.url}/a.png ${own} mailto:a@example.com http://me:secret@127.0.0.1:1/`,
    ...others,
    others[0],
  ]
  const { titles } = await previewsOf(content.join('\n'), org)
  expect(titles).toEqual(['Page 1', 'Page 2', 'Page 3', 'Page 4', 'Page 5'])
  expect(site.asked.map(({ path }) => path).sort()).toEqual(['/1', '/2', '/3', '/4', '/5'])
})

describe('of a page', () => {
  const russian = Buffer.from([0xc3, 0xf0, 0xe0, 0xf7]) // "Грач" in windows-1251

  test.each<[string, LinkedPage, string[]]>([
    ['its title is taken if it says nothing else', { body: '<title> A\n title </title>' }, ['A title']],
    ['that says nothing, nothing is shown', { body: '<p>text</p>' }, []],
    ['that is missing, nothing is shown', { body: '<title>No</title>', status: 404 }, []],
    ['that is another file, nothing is shown', { body: '<title>No</title>', type: 'text/plain' }, []],
    [
      'another title than that of its head does not count',
      { body: '<head></head><body><svg><title>No</title></svg>' },
      [],
    ],
    [
      'long texts are cut',
      { body: `<title>${'long '.repeat(100)}</title>` },
      [`${'long '.repeat(40).trim()}…`],
    ],
    ['a title that cannot be seen is none', { body: '<title>\u200b \u00ad</title>' }, []],
    ['a title cannot change the direction of others', { body: '<title>a \u202eb</title>' }, ['a b']],
    ['the rest is not needed', { body: `<title>First</title>${'<p>text</p>'.repeat(100_000)}` }, ['First']],
    ['that is hostile, nothing is shown', { body: `${'<x>'.repeat(200_000)}<title>No</title>` }, []],
    [
      'the encoding is that of its head',
      {
        body: Buffer.concat([
          Buffer.from('<meta charset="windows-1251"><title>'),
          russian,
          Buffer.from('</title>'),
        ]),
      },
      ['Грач'],
    ],
    [
      'the encoding is that of its type',
      { type: 'text/html; charset=windows-1251', body: Buffer.concat([Buffer.from('<title>'), russian]) },
      ['Грач'],
    ],
    [
      'an encoding that nobody knows is UTF-8',
      { type: 'text/html; charset=x', body: '<title>Dohlen</title>' },
      ['Dohlen'],
    ],
  ])('%s', async (_, shownPage, expected) => {
    site.pages.set('/it', shownPage)
    const { titles, html } = await previewsOf(`${site.url}/it`)
    expect(titles).toEqual(expected)
    expect(html.includes('message_embed')).toBe(expected.length > 0)
  })

  test('that has moved, the preview is that of its new place', async () => {
    site.pages.set('/old', { status: 301, body: '' })
    site.page('/landed', '<title>Landed</title>')
    expect((await previewsOf(`${site.url}/old`)).titles).toEqual(['Landed'])
  })
})
