import { parsed } from './commands/command-line.js'
import { HELP } from './commands/help.js'
import { runCommand } from './commands/run-command.js'

// `npm run simulate`: runs seeds until one breaks a guarantee, and says as shortly as it can how.
//
// Each command is loaded when it is asked for: with them come the library and the engine, which help and a mistake need not wait for.

await runCommand('simulate', async () => {
  const command = parsed(process.argv.slice(2))
  switch (command.kind) {
    case 'help':
      console.log(HELP)
      return 0
    case 'hunt':
      return (await import('./commands/hunt.js')).hunt(command)
    case 'mode hunt':
      return (await import('./commands/hunt-by-mode.js')).huntByMode(command)
    case 'rate hunt':
      return (await import('./commands/hunt-rates.js')).huntRates(command)
    case 'regions':
      return (await import('./commands/try-regions.js')).tryRegions(command)
    case 'one seed':
      return (await import('./commands/one-seed.js')).tryOneSeed(command)
    case 'script':
      return (await import('./commands/play-script.js')).playScript(command)
    case 'many seeds':
      return (await import('./commands/many-seeds.js')).tryManySeeds(command)
  }
})
