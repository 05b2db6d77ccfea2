import { expect, test } from 'vitest'
import { edgesOf } from '../../test/edges.ts'
import { filledPath, operations } from '../../test/operations.ts'
import { testServer } from '../../test/test-server.ts'
import { apiPrefix } from './server.ts'

const { organization } = testServer()

/** Providers of calls that this server is not configured for. */
const notConfigured = /^video_chat_provider=[34]:/

test.each(['PATCH /realm', 'PATCH /streams/{stream_id}', 'POST /realm/emoji/{emoji_name}'])(
  '%s refuses no value for its form that is as the API description says',
  async (name) => {
    const org = await organization()
    const channel = await org.channel()
    const operation = operations().find(({ method, path }) => `${method} ${path}` === name)!
    const refused: string[] = []
    for (const param of operation.declared.filter(({ name }) => name !== 'stream_id')) {
      for (const value of edgesOf(param)) {
        const sent = { stream_id: String(channel.id), [param.name]: value }
        const { stream_id: _, ...fields } = sent
        const { body } = await org.owner.raw({
          method: operation.method,
          path: apiPrefix + filledPath(operation, sent),
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: new URLSearchParams(param.inPath ? {} : fields).toString(),
        })
        if (isAboutForm(param.name, body.msg)) refused.push(`${param.name}=${value}: ${body.msg}`)
      }
    }
    expect(refused.filter((one) => !notConfigured.test(one))).toEqual([])
  },
)

/** Whether an error is about the form of a parameter, not about what exists or is permitted. */
function isAboutForm(name: string, msg: string) {
  if (name === 'emoji_name') return /^Emoji name/.test(msg) || msg.startsWith('emoji_name is')
  return new RegExp(`^(Invalid ${name}( |$)|Bad value for '${name}'|${name} (is|cannot|must|has)\\b)`).test(
    msg,
  )
}
