import { parentPort, workerData } from 'node:worker_threads'
import { Parser } from 'htmlparser2'
import PostalMime from 'postal-mime'
import { readMail } from './read-mail.ts'

// The program of the thread that reads one mail. It ends with its answer.

const makeParser = (handler: ConstructorParameters<typeof Parser>[0]) => new Parser(handler)

void readMail(workerData, { parse: PostalMime.parse, makeParser }).then((mail) =>
  parentPort?.postMessage(
    mail,
    mail.files.map(({ content }) => content.buffer),
  ),
)
