import { type Declared, UsageError, type Verb } from './command.ts'
import { say } from './output.ts'

/** The words and options that may follow the words of a command line. */
type Choices = { path: string; words: string[]; options: string[] }

const scripts = { bash, zsh, fish }

/** Prints what a shell needs to complete commands and options, made from the commands as they are declared. */
export const completion: Declared = (program) => {
  program
    .command('completion')
    .summary('print the completion of commands and options for bash, zsh or fish')
    .description('Print the completion of commands and options for a shell.')
    .argument('<SHELL>')
    .addHelpText(
      'after',
      `
bash: rookery completion bash > /etc/bash_completion.d/rookery
zsh:  rookery completion zsh > "\${fpath[1]}/_rookery"
fish: rookery completion fish > ~/.config/fish/completions/rookery.fish`,
    )
    .action((shell: string) => {
      if (!Object.hasOwn(scripts, shell))
        throw new UsageError(`There is no completion for ${shell}; there is one for bash, zsh and fish.`)
      say(scripts[shell as keyof typeof scripts](choicesOf(program)))
    })
}

function choicesOf(verb: Verb, path = ''): Choices[] {
  const words = verb.commands.map((one) => one.name())
  const options = verb.options.flatMap(({ long }) => long ?? [])
  const more = verb.commands.flatMap((one) => choicesOf(one as Verb, `${path} ${one.name()}`.trim()))
  const own = path === '' ? [...words, 'help', 'version'] : words
  return [{ path, words: own, options: [...options, '--help'] }, ...more]
}

// Names of commands and options are of letters and hyphens, so no shell needs them quoted.

function bash(choices: Choices[]): string {
  const cases = choices.map(
    ({ path, words, options }) => `    '${path}') words='${[...words, ...options].join(' ')}' ;;`,
  )
  const groups = choices.flatMap(({ path, words }) => (path !== '' && words.length > 0 ? path : []))
  return `_rookery() {
  local current="\${COMP_WORDS[COMP_CWORD]}" path='' words='' word at
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    case "$path $word" in
      *' -'*) break ;;
      ' '*) path="$word" ;;
      ${groups.length > 0 ? groups.map((group) => `'${group} '*`).join('|') : "'-'"}) path="$path $word"; break ;;
      *) break ;;
    esac
  done
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  # Other words are files, or what only the server knows.
  if [ \${#COMPREPLY[@]} -eq 0 ]; then COMPREPLY=($(compgen -f -- "$current")); fi
}
complete -F _rookery rookery`
}

/** zsh runs completions of bash. */
function zsh(choices: Choices[]): string {
  return `#compdef rookery
autoload -U +X bashcompinit && bashcompinit
${bash(choices)}`
}

function fish(choices: Choices[]): string {
  const lines = choices.flatMap(({ path, words, options }) => {
    const seen = path.split(' ').filter((word) => word !== '')
    const isHere =
      seen.length === 0
        ? '__fish_use_subcommand'
        : seen.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ')
    const isOpen =
      words.length > 0 && seen.length > 0 ? `; and not __fish_seen_subcommand_from ${words.join(' ')}` : ''
    const condition = `${isHere}${isOpen}`
    return [
      ...(words.length > 0 ? [`complete -c rookery -f -n '${condition}' -a '${words.join(' ')}'`] : []),
      ...options.map((option) => `complete -c rookery -n '${condition}' -l ${option.slice(2)}`),
    ]
  })
  return lines.join('\n')
}
