import type { Token } from './token.ts'

/** The prompt of a shell, and the lexer of its commands. */
export const sessions: Readonly<Record<string, { prompt: RegExp; lexer: string }>> = {
  console: { prompt: /^(?:[^\n$#%]{0,60}[$#%]|>) ?/, lexer: 'bash' },
  doscon: { prompt: /^[^>\n]{0,200}>/, lexer: 'batch' },
  ps1con: { prompt: /^PS [^>\n]{0,200}> ?/, lexer: 'powershell' },
  tcshcon: { prompt: /^[^>\n]{0,200}> ?/, lexer: 'tcsh' },
}

/** A session: lines with a prompt are commands, others are what they answered. */
export function sessionTokens(code: string, prompt: RegExp, command: (text: string) => Token[]): Token[] {
  return code.split(/(?<=\n)/).flatMap((line): Token[] => {
    const [asked] = prompt.exec(line) ?? []
    if (asked === undefined) return [['go', line]]
    return [['gp', asked], ...command(line.slice(asked.length))]
  })
}
