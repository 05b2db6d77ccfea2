import { expect, test } from 'vitest'
import { emptyLookup, type Lookup } from '../lookup.ts'
import { render } from '../render.ts'

const lookup: Lookup = {
  ...emptyLookup,
  customEmoji: (name) => (name === 'party_x' || name === 'heart' ? `/emoji/${name}.png` : undefined),
  extraEmoji: '/static/zulip.png',
}
const plain = (name: string, code: string, title = name) =>
  `<span aria-label="${title}" class="emoji emoji-${code}" role="img" title="${title}">:${name}:</span>`
const picture = (name: string, src: string, title = name) =>
  `<img alt=":${name}:" class="emoji" src="${src}" title="${title}">`

const cases: [source: string, paragraph: string][] = [
  [':smile:', plain('smile', '1f642')],
  [':thumbs_up: :+1:', `${plain('thumbs_up', '1f44d', 'thumbs up')} ${plain('+1', '1f44d')}`],
  [':smile::smile:', plain('smile', '1f642') + plain('smile', '1f642')],
  [':party_x:', picture('party_x', '/emoji/party_x.png', 'party x')],
  [':heart:', picture('heart', '/emoji/heart.png')],
  [':zulip:', picture('zulip', '/static/zulip.png')],
  [':nosuch: :SMILE: `:smile:`', ':nosuch: :SMILE: <code>:smile:</code>'],
  ['😀😀', plain('grinning', '1f600') + plain('grinning', '1f600')],
  ['❤️ 🇦🇹', `${plain('heart', '2764')} ${plain('flag_austria', '1f1e6-1f1f9', 'flag austria')}`],
  ['1️⃣ 👨‍🌾', `${plain('one', '0031-20e3')} ${plain('man_farmer', '1f468-200d-1f33e', 'man farmer')}`],
  ['👁\u200d🗨', plain('eye_in_speech_bubble', '1f441-200d-1f5e8', 'eye in speech bubble')],
  [
    '🏳\u200d🌈 1\u20e3',
    `${plain('rainbow_flag', '1f3f3-200d-1f308', 'rainbow flag')} ${plain('one', '0031-20e3')}`,
  ],
  ['™ ❤ 👍🏽 1 #', '™ ❤ 👍🏽 1 #'],
  [':) <3', ':) &lt;3'],
]

test.each(cases)('%s', (source, paragraph) => {
  expect(render(source, lookup).html).toBe(`<p>${paragraph}</p>`)
})

test('users who want it get emoji for emoticons', () => {
  const html = render(':) a:) :) <3', { ...emptyLookup, translateEmoticons: true }).html
  expect(html).toBe(
    `<p>${plain('smile', '1f642')} a:) ${plain('smile', '1f642')} ${plain('heart', '2764')}</p>`,
  )
})
