import { buffer } from 'node:stream/consumers'
import { serialize } from 'node:v8'
import { Parser } from 'htmlparser2'
import PostalMime from 'postal-mime'
import { ignore } from '../../../lib/guard.ts'
import { readMail } from './read-mail.ts'

// The program that reads one mail, from its input to its output. Its server ends it.

const makeParser = (handler: ConstructorParameters<typeof Parser>[0]) => new Parser(handler)

async function main() {
  const mail = await readMail(await buffer(process.stdin), { parse: PostalMime.parse, makeParser })
  process.stdout.write(serialize(mail))
}

// A terminal, or what runs services, sends these to all processes of a server, which lets mails under way end.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, ignore)
void main()
