import { parsed } from './commands/command-line.js'
import { HELP } from './commands/help.js'
import { hunt } from './commands/hunt.js'
import { huntByMode } from './commands/hunt-by-mode.js'
import { huntRates } from './commands/hunt-rates.js'
import { tryManySeeds } from './commands/many-seeds.js'
import { tryOneSeed } from './commands/one-seed.js'
import { playScript } from './commands/play-script.js'
import { runCommand } from './commands/run-command.js'
import { tryRegions } from './commands/try-regions.js'

// `npm run simulate`: runs seeds until one breaks a guarantee, and says as shortly as it can how.

await runCommand('simulate', () => {
  const command = parsed(process.argv.slice(2))
  switch (command.kind) {
    case 'help':
      console.log(HELP)
      return 0
    case 'hunt':
      return hunt(command)
    case 'mode hunt':
      return huntByMode(command)
    case 'rate hunt':
      return huntRates(command)
    case 'regions':
      return tryRegions(command)
    case 'one seed':
      return tryOneSeed(command)
    case 'script':
      return playScript(command)
    case 'many seeds':
      return tryManySeeds(command)
  }
})
