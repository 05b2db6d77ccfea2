import { commands } from './cli/commands.ts'
import { endWith, ignoreClosedOutput } from './cli/output.ts'
import { run } from './cli/run.ts'

ignoreClosedOutput()
const words = process.argv.slice(2)
// Without a top-level await, so that it can be bundled in any format.
void run(commands, words.length > 0 ? words : ['serve'], process.env).then(endWith)
