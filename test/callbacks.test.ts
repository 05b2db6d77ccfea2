import { expect, test } from 'vitest'
import { unguarded } from './callbacks.ts'

test.each([
  ["socket.on('data', (piece) => take(piece))", 1],
  ["socket\n  .once(\n'data', take)", 1],
  ["const take = () => {}\nsocket.on('data', take)", 1],
  ['setTimeout(() => run(), 5)', 1],
  ['process.nextTick(run)', 1],
  ["signal.addEventListener('abort', leave, { once: true })", 1],
  ["const take = guard(fail, () => {})\nsocket.on('data', take).on('error', ignore)", 0],
  ['server.on(name, guard(fail, take))\nsetTimeout(guard(fail, take), 5)', 0],
  ["new Promise((resolve, reject) => content.once('open', resolve).once('error', reject))", 0],
  ['await setImmediate()', 0],
])('callbacks that nothing guards are found in %j', (text, count) => {
  expect(unguarded({ path: 'a.ts', text, lines: [] })).toHaveLength(count)
})
