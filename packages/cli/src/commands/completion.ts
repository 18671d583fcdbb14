import { Argument, Command } from 'commander'
import { CommandError } from '../command-error.js'
import { bashScript } from '../completion/bash-script.js'
import { type CommandWords, commandWords } from '../completion/command-words.js'
import { fishScript } from '../completion/fish-script.js'
import { zshScript } from '../completion/zsh-script.js'
import { type Terminal, writeLine } from '../terminal.js'

const SHELLS: Readonly<Record<string, (words: readonly CommandWords[]) => string>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
}

/** `isotherm completion`: a script with which a shell completes commands, flags and their values. */
export function completionCommand(terminal: Terminal, loadAll: () => Promise<readonly Command[]>): Command {
  const names = Object.keys(SHELLS)
  const shells = new Argument('[shell]', 'the shell')
  // Not with choices(), whose error is not a sentence of this command.
  shells.argChoices = names
  return new Command('completion')
    .addArgument(shells)
    .helpOption('-h, --help', 'print this help')
    .addHelpText(
      'after',
      '\nExamples:\n' +
        '  isotherm completion bash >> ~/.bashrc\n' +
        '  isotherm completion zsh >> ~/.zshrc\n' +
        '  isotherm completion fish > ~/.config/fish/completions/isotherm.fish\n',
    )
    .action(async (shell: string | undefined) => {
      const script = SHELLS[shell ?? '']
      if (script === undefined) {
        const problem = shell === undefined ? 'The shell is missing' : `The shell is '${shell}'`
        throw new CommandError(`${problem}; it must be ${names.join(' or ')}.`)
      }
      writeLine(terminal.out, script(commandWords(await loadAll())))
    })
}
