import { expect, test } from 'vitest'
import { emptyLookup } from '../lookup.ts'
import { render } from '../render.ts'

test.each([
  ['2024-06-05T14:30:00Z', '2024-06-05T14:30:00Z'],
  ['2024-06-05T14:30:00-08:00', '2024-06-05T22:30:00Z'],
  ['2024-06-05T14:30+0530', '2024-06-05T09:00:00Z'],
  ['2024-06-05 2:30 pm', '2024-06-05T14:30:00Z'],
  ['2024-06-05', '2024-06-05T00:00:00Z'],
  ['20240605T143000Z', '2024-06-05T14:30:00Z'],
  ['1717597800', '2024-06-05T14:30:00Z'],
  ['Jun 5, 2024 14:30', '2024-06-05T14:30:00Z'],
  ['Wed, 05 Jun 2024 14:30:00 +0200', '2024-06-05T12:30:00Z'],
  ['5 June 2024', '2024-06-05T00:00:00Z'],
  ['2024-06-05 14:30 IST', '2024-06-05T09:00:00Z'],
  ['2024-06-05T14:30:00 pdt', '2024-06-05T21:30:00Z'],
  ['Jun 5, 2024 2:30 pm CEST', '2024-06-05T12:30:00Z'],
  ['5 June 2024 14:30 UTC+2', '2024-06-05T12:30:00Z'],
  ['2024-06-05T14:30-23:59', '2024-06-06T14:29:00Z'],
])('%s', (written, datetime) => {
  expect(render(`<time:${written}>`, emptyLookup).html).toBe(
    `<p><time datetime="${datetime}">${written}</time></p>`,
  )
})

test.each([
  ['<time:garbage>', '<p><span class="timestamp-error">Invalid time format: garbage</span></p>'],
  ['<time:>', '<p><span class="timestamp-error">Invalid time format: </span></p>'],
  ['<time:2024-02-30>', '<p><span class="timestamp-error">Invalid time format: 2024-02-30</span></p>'],
  ...['+32:00', '+24:00', '-05:60', ' XYZ', ' IST+1'].map((zone) => [
    `<time:2024-06-05T14:30:00${zone}>`,
    `<p><span class="timestamp-error">Invalid time format: 2024-06-05T14:30:00${zone}</span></p>`,
  ]),
  ['<time:25:00>', '<p><span class="timestamp-error">Invalid time format: 25:00</span></p>'],
  [
    '<time:99999999999999999999>',
    '<p><span class="timestamp-error">Invalid time format: 99999999999999999999</span></p>',
  ],
  ['<time:<b>>', '<p><span class="timestamp-error">Invalid time format: &lt;b</span>&gt;</p>'],
  ['`<time:1>` <time:1', '<p><code>&lt;time:1&gt;</code> &lt;time:1</p>'],
])('%s', (source, expected) => {
  expect(render(source, emptyLookup).html).toBe(expected)
})
