// Runs inside a server that is measured (--import). Notes each time in which its event loop does nothing else, with the processor time
// of its thread, which does not depend on what else the machine does. Responds on PAUSE_PROBE_PORT: /begin, /report.
import { openSync, readSync } from 'node:fs'
import { createServer } from 'node:http'

const port = Number(process.env.PAUSE_PROBE_PORT)
if (port) {
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r')
  const buffer = Buffer.alloc(128)
  const look = () => {
    const size = readSync(file, buffer, 0, buffer.length, 0)
    return { at: performance.now(), cpu: Number(buffer.toString('latin1', 0, size).split(' ')[0]) / 1e6 }
  }
  let last = look()
  let begun = last
  let longest = { ms: 0, cpu: 0 }
  setInterval(() => {
    const now = look()
    const pause = { ms: now.at - last.at, cpu: now.cpu - last.cpu }
    if (pause.cpu > longest.cpu) longest = pause
    last = now
  }, 2).unref()
  createServer((request, response) => {
    const now = look()
    const report = { ...longest, total: now.cpu - begun.cpu }
    if (request.url === '/begin') {
      begun = last = now
      longest = { ms: 0, cpu: 0 }
    }
    response.end(JSON.stringify(report))
  })
    .listen(port, '127.0.0.1')
    .unref()
}
