import { extname } from 'node:path'
import { CommandError } from './command-error.js'
import { printable } from './terminal.js'

/** What to run for files in a language that `isotherm lint` does not read. */
const TERRAFORM =
  'lint does not read the language of Terraform: run terraform show -json PLAN > plan.json, and lint plan.json'
const PROGRAM = 'lint does not read code: lint the template that cdk synth or serverless package writes'
const READS =
  'lint reads CreateTable as JSON, CloudFormation, SAM, cdk.out, serverless.yml, and Terraform plans as JSON'
const CODE = new Set(['.ts', '.js', '.mjs', '.cjs', '.py', '.java', '.go', '.cs'])

/** The error for files without a table, with the cure. */
export function noTables(files: readonly string[]): CommandError {
  const endings = files.map((file) => extname(file).toLowerCase())
  const cure = endings.includes('.tf') ? TERRAFORM : endings.some((each) => CODE.has(each)) ? PROGRAM : READS
  const names = files.map((file) => (file === '-' ? 'standard input' : printable(file)))
  return new CommandError(`There is no table in ${names.join(', ')}; ${cure}.`)
}
