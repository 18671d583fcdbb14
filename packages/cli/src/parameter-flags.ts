import type { ScenarioParameter } from '@isotherm/scenarios'
import type { Command } from 'commander'
import { number, wholeNumber } from './flags.js'

/** Adds a flag for each parameter of a scenario, with its default and its bounds. */
export function addParameters(command: Command, parameters: readonly ScenarioParameter[]): Command {
  for (const { flag, description, default: usual, min, max, isWhole } of parameters) {
    const [name = flag] = flag.split(' ')
    const parse = isWhole ? wholeNumber(name, min, max) : number(name, min, max)
    command.option(flag, description, parse, usual)
  }
  return command
}
