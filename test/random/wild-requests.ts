import { connect } from 'node:net'
import { basic, type Person } from '../person.ts'

/** A body as it may come, and what its head says that it is. */
type WildBody = { name: string; type: string; body: Buffer }

const boundary = 'between'
const type = `multipart/form-data; boundary=${boundary}`
const disposition = 'Content-Disposition: form-data'

/** One part with these lines as its head. */
function part(head: string[], content = 'hello') {
  return `--${boundary}\r\n${[...head, '', content].join('\r\n')}\r\n`
}

const end = `--${boundary}--\r\n`
const file = part([`${disposition}; name="f"; filename="a.png"`])

/** Multipart bodies that no client sends; none may be accepted. */
export const brokenBodies: WildBody[] = [
  ...Object.entries({
    'a field without a name': part([disposition]) + end,
    'a field without a name behind a file': file + part([disposition]) + end,
    'a file without a field': part([`${disposition}; filename="a.png"`]) + end,
    'a nameless part of bytes': part([disposition, 'Content-Type: application/octet-stream']) + end,
    'a name without a value': part([`${disposition}; name`]) + end,
    'a name that is never closed': part([`${disposition}; name="f; filename="a.png"`]) + file,
    'many nameless parts': part([disposition]).repeat(500) + end,
    'no closing boundary': file,
    'a head that never ends': `--${boundary}\r\n${disposition}; name="f"; x="${'y'.repeat(300_000)}`,
    'a boundary and nothing else': `--${boundary}\r\n`,
    'a boundary that is cut': `--${boundary.slice(0, 4)}`,
    'nothing at all': '',
    'null bytes': '\0'.repeat(1_000),
    'other line ends': (part([`${disposition}; name="f"; filename="a"`]) + end).replaceAll('\r\n', '\n'),
    'very many heads': part(Array.from({ length: 5_000 }, (_, i) => `X-${i}: y`)) + file,
    'a part in a part': `${part(
      [`${disposition}; name="f"`, 'Content-Type: multipart/mixed; boundary=inner'],
      '--inner\r\nContent-Disposition: file; filename="a"\r\n\r\nhello\r\n--inner',
    )}`,
  }).map(([name, body]) => ({ name, type, body: Buffer.from(body) })),
  ...Object.entries({
    'no boundary': 'multipart/form-data',
    'an empty boundary': 'multipart/form-data; boundary=',
    'a boundary that is not the one of the body': 'multipart/form-data; boundary=elsewhere',
    'a boundary of another coding': "multipart/form-data; boundary*=utf-99''%ff%00",
    'a very long boundary': `multipart/form-data; boundary=${'b'.repeat(6_000)}`,
    'no parameters, but semicolons': 'multipart/form-data;;;=;',
    'a type that only begins so': 'multipart/form-datax; boundary=between',
  }).map(([name, type]) => ({ name, type, body: Buffer.from(file + end) })),
]

/** Bodies that are odd, but may be understood. */
export const oddBodies: WildBody[] = Object.entries({
  'a part without a head': `--${boundary}\r\n\r\nhello\r\n${file}${end}`,
  'a part that is no form data': part(['Content-Disposition: attachment; filename="a"']) + file + end,
  'an unknown coding': part([`${disposition}; name*=utf-99''%ff; filename*=x-none''%00%zz`]) + file + end,
  'an unknown character set': part([`${disposition}; name="a"`, 'Content-Type: text/plain; charset=*']) + end,
  'a character set without a value': part([`${disposition}; name="a"`, 'Content-Type: t/p; charset']) + end,
  'no character set but a star': part([`${disposition}; name="a"`, 'Content-Type: t/p; charset*']) + end,
  'bytes that are no text': `--${boundary}\r\n${disposition}; name="\u{fffd}\xff"\r\n\r\n\xff\xfe\r\n${end}`,
  'a name like an inherited one': part([`${disposition}; name="__proto__"`]) + file + end,
  'a head of an inherited name': part(['constructor: x', `${disposition}; name="a"`]) + file + end,
  'the same head twice': part([`${disposition}; name="a"`, `${disposition}; filename="b"`]) + file + end,
  'a very long name': part([`${disposition}; name="${'n'.repeat(70_000)}"`]) + file + end,
  'something behind the end': `${file}${end}${file.repeat(50)}`,
  'an empty name': part([`${disposition}; name=""`]) + file + end,
}).map(([name, body]) => ({ name, type, body: Buffer.from(body, 'latin1') }))

type WildHead = { name: string; bytes: string; status: number | RegExp }

/** Requests whose heads no client sends, as bytes, with the expected responses. */
export function wildHeads({ place, email, key }: Person): WildHead[] {
  const host = `Host: ${place.host}`
  const login = `Authorization: ${basic(email, key)}`
  const get = (...headers: string[]) => request('GET /api/v1/users/me', headers)
  const post = (body: string, ...headers: string[]) =>
    request('POST /api/v1/messages', [host, login, ...headers], body)
  const wild: [name: string, bytes: string, status: number | RegExp][] = [
    ['two hosts', get(host, host, login), 400],
    ['two hosts that differ', get(host, 'Host: elsewhere.test', login), 400],
    ['a second host in other letters', get(host, login, 'hOsT: elsewhere.test'), 400],
    ['no host', get(login), 400],
    ['an empty host', get('Host:', login), /4\d\d/],
    ['a host that is none', get('Host: a b/c@\x7f', login), /4\d\d/],
    ['a very long host', get(`Host: ${'h'.repeat(9_000)}`, login), /4\d\d/],
    ['two lengths', post('ab', 'Content-Length: 1', 'Content-Length: 2'), 400],
    ['two lengths that agree', post('ab', 'Content-Length: 2', 'Content-Length: 2'), 400],
    ['a negative length', post('ab', 'Content-Length: -2'), 400],
    ['a length with a sign', post('ab', 'Content-Length: +2'), 400],
    ['a length in hexadecimal', post('ab', 'Content-Length: 0x2'), 400],
    ['a length beyond all numbers', post('ab', `Content-Length: ${'9'.repeat(30)}`), 400],
    ['a length and chunks', post('0\r\n\r\n', 'Content-Length: 5', 'Transfer-Encoding: chunked'), 400],
    ['chunks twice', post('0\r\n\r\n', 'Transfer-Encoding: chunked, chunked'), 400],
    ['chunks that are not last', post('0\r\n\r\n', 'Transfer-Encoding: chunked, gzip'), 400],
    ['an unknown transfer coding', post('0\r\n\r\n', 'Transfer-Encoding: cow'), /4\d\d|501/],
    ['a chunk of no size', post('zz\r\n\r\n', 'Transfer-Encoding: chunked'), 400],
    ['a chunk beyond all numbers', post(`${'f'.repeat(20)}\r\n`, 'Transfer-Encoding: chunked'), 400],
    ['a very long header', get(host, login, `X-Long: ${'x'.repeat(100_000)}`), 431],
    ['very many headers', get(host, login, ...Array.from({ length: 3_000 }, (_, i) => `X-${i}: yyyy`)), 431],
    ['a header without a name', get(host, login, ': x'), 400],
    ['a header with a space in its name', get(host, login, 'X y: z'), 400],
    ['a folded header', get(host, login, 'X: y\r\n z'), 400],
    ['a null byte in a header', get(host, login, 'X: a\0b'), 400],
    ['something else to be expected', post('', 'Expect: 900-impossible', 'Content-Length: 0'), 417],
    ['a type that is none', post('ab', 'Content-Type: ;;;/=', 'Content-Length: 2'), 400],
    ['a type of control characters', post('ab', 'Content-Type: \x7f\t\x80', 'Content-Length: 2'), 400],
    ['a very long type', post('ab', `Content-Type: a/${'b'.repeat(9_000)}`, 'Content-Length: 2'), 400],
    ['two types', post('ab', 'Content-Type: a/b', 'Content-Type: c/d', 'Content-Length: 2'), 400],
    ['no path', request('GET ', [host, login]), 400],
    ['a path that is none', request('GET messages', [host, login]), /4\d\d/],
    ['an address of its own', request('GET http://elsewhere.test/x', [host, login]), /4\d\d/],
    ['an address of no host', request('GET http:///', [host, login]), /4\d\d/],
    ['a very long path', request(`GET /${'p'.repeat(15_000)}`, [host, login]), /4\d\d/],
    ['a path of broken escapes', request('GET /%ff%zz%', [host, login]), /4\d\d/],
    ['another version', `GET / HTTP/9.9\r\n${host}\r\n\r\n`, 400],
    ['the other protocol', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400],
    ['an upgrade', get(host, 'Connection: Upgrade', 'Upgrade: websocket'), 401],
    ['TLS', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400],
    ['a method of many letters', request(`${'M'.repeat(5_000)} /`, [host]), /4\d\d/],
    ...oddMethods.map((method): [string, string, number] => [
      `the method ${method}`,
      request(`${method} /api/v1/messages`, [host, login, 'Content-Length: 0']),
      405,
    ]),
    ['a way through', `CONNECT elsewhere.test:443 HTTP/1.1\r\n${host}\r\n\r\n`, 405],
  ]
  return wild.map(([name, bytes, status]) => ({ name, bytes, status }))
}

const oddMethods = ['QUERY', 'TRACE', 'PROPFIND', 'LINK', 'M-SEARCH', 'SOURCE', 'PURGE', 'BREW', 'get']

function request(line: string, headers: string[], body = '') {
  return `${[`${line} HTTP/1.1`, ...headers].join('\r\n')}\r\n\r\n${body}`
}

/** Sends bytes over a connection of their own, and returns the first response: its head and what came with it. */
export async function exchange(port: number, bytes: string | Buffer): Promise<string> {
  const socket = connect({ port, host: '127.0.0.1' })
  // Only a request without a response takes this long.
  socket.setTimeout(10_000, () => socket.destroy())
  socket.write(bytes, 'latin1')
  let text = ''
  for await (const piece of socket) {
    text += (piece as Buffer).toString('latin1')
    if (text.includes('\r\n\r\n')) break
  }
  return text
}
