import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { createTable, table } from '@isotherm/fixtures'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { COMMANDS } from './commands/command-list.js'
import { type Ended, isotherm, isothermUntil } from './isotherm.fixture.js'

const bin = fileURLToPath(new URL('../bin/isotherm.js', import.meta.url))
const built = new URL('../dist/index.js', import.meta.url).href
const folder = mkdtempSync(join(tmpdir(), 'isotherm-cli-'))
const running = new Set<ChildProcess>()
afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
  running.clear()
})
afterAll(() => rmSync(folder, { recursive: true }))

interface Running {
  readonly out: string
  readonly ended: Promise<Ended>
  /** The pattern's match, once the command has printed it. */
  heard(pattern: RegExp): Promise<string>
  /** Presses Ctrl-C. */
  interrupt(): void
}

/** Starts the built command as a user does. */
function start(args: readonly string[]): Running {
  const child = spawn(process.execPath, [bin, ...args], { cwd: folder })
  running.add(child)
  const said = { out: '', err: '' }
  child.stdout.on('data', (data) => {
    said.out += data
  })
  child.stderr.on('data', (data) => {
    said.err += data
  })
  const ended = new Promise<Ended>((resolve) => {
    child.on('close', (code) => {
      running.delete(child)
      resolve({ code, ...said })
    })
  })
  const heard = (pattern: RegExp) =>
    new Promise<string>((resolve, reject) => {
      const look = () => {
        const [found] = pattern.exec(said.out + said.err) ?? []
        if (found !== undefined) resolve(found)
      }
      for (const stream of [child.stdout, child.stderr]) stream.on('data', look)
      child.on('close', () => reject(new Error(`It ended and never said ${pattern}: ${said.out}${said.err}`)))
      look()
    })
  return {
    get out() {
      return said.out
    },
    ended,
    heard,
    interrupt: () => child.kill('SIGINT'),
  }
}

/** The output of the built command until Ctrl-C, which is sent once it has printed the given text. */
async function untilPrinted(text: string, args: readonly string[]): Promise<Ended> {
  const child = start(args)
  await child.heard(new RegExp(text))
  child.interrupt()
  return child.ended
}

/** Runs several built commands in one process of Node, which takes most of the time of a command. */
function builtOneByOne(commands: readonly (readonly string[])[]): readonly Ended[] {
  const script = join(folder, 'one-by-one.mjs')
  writeFileSync(
    script,
    `import { Writable } from 'node:stream'
    import { main } from ${JSON.stringify(built)}
    for (const args of ${JSON.stringify(commands)}) {
      const said = { out: '', err: '' }
      const into = (name) =>
        new Writable({ write: (chunk, _, done) => done(void (said[name] += chunk)) })
      const code = await main(args, { out: into('out'), err: into('err') })
      console.log(JSON.stringify({ code, ...said }))
    }`,
  )
  const { stdout } = spawnSync(process.execPath, [script], { encoding: 'utf8' })
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const SMALL = ['--calm', '1', '--ramp', '1', '--hold', '2', '--base-rate', '10', '--viral-rate', '60']
/** The same for runs on real time, which wait. */
const SHORT = ['--calm', '1', '--ramp', '1', '--hold', '1', '--base-rate', '10', '--viral-rate', '120']

describe('isotherm run hot-file', () => {
  it('--once --json prints one line of JSON and exits 0, with the same figures each time', async () => {
    const args = ['run', 'hot-file', '--once', '--json', '--no-chart', ...SMALL]
    const [first, second] = [await start(args).ended, await isotherm(...args)]
    expect(first.code).toBe(0)
    expect(second.out).toBe(first.out)
    expect(second.err).toContain('the engine carried')
    const { runs } = JSON.parse(first.out)
    expect(runs.map(({ strategy }: { strategy: string }) => strategy)).toEqual([
      'one-key',
      'fixed',
      'dynamic',
    ])
    for (const {
      accepted,
      throttled,
      acceptedPerSecond,
      throttledShareAfterRamp,
      shardsFinal,
      readBack,
    } of runs) {
      for (const figure of [accepted, throttled, acceptedPerSecond, throttledShareAfterRamp, shardsFinal]) {
        expect(figure).toBeTypeOf('number')
      }
      expect(accepted).toBeGreaterThan(100)
      expect(readBack).toMatchObject({ missing: 0, duplicates: 0, outOfOrder: 0 })
    }
  })

  it('writes its chart and tells what the engine carried', async () => {
    const chart = join(folder, 'chart.svg')
    const { code, out } = await isotherm('run', 'hot-file', '--once', '--chart', chart, ...SMALL)
    expect(code).toBe(0)
    expect(readFileSync(chart, 'utf8')).toMatch(/^<svg .*<\/svg>\n$/s)
    expect(out).toMatch(/the engine carried [\d,]+ requests/)
  })

  it('runs on real time and stays up until Ctrl-C, then exits 0', async () => {
    const args = ['run', 'hot-file', '--port', '0', '--no-chart', ...SHORT]
    const { code, out, err } = await untilPrinted('Ctrl-C ends it', args)
    expect(code).toBe(0)
    expect(err).toContain('http://127.0.0.1:')
    expect(out).toContain('all accepted found')
  })

  it('runs against an endpoint, and leaves no table there', async () => {
    const { createLocal } = await import('@isotherm/local')
    const { ListTablesCommand } = await import('@aws-sdk/client-dynamodb')
    const local = createLocal()
    const { url } = await local.listen({ port: 0 })
    const { code, out } = await isotherm(
      'run',
      'hot-file',
      '--endpoint',
      url,
      '--no-chart',
      '--json',
      ...SHORT,
    )
    expect(code).toBe(0)
    expect(JSON.parse(out.trimEnd().split('\n').at(-1) ?? '').runs).toHaveLength(3)
    expect((await local.client().send(new ListTablesCommand({}))).TableNames).toEqual([])
    expect(local.statistics().requests).toBeGreaterThan(300)
    await local.close()
  })
})

describe('isotherm local', () => {
  it('warns when it lets other machines in without credentials', async () => {
    const { err } = await isothermUntil(/Ctrl-C/, ['local', '--port', '0', '--host', '0.0.0.0'])
    expect(err).toContain('--host 0.0.0.0 lets other machines in')
  })

  it('opens the endpoint alone, answers, and exits 0 on Ctrl-C', async () => {
    const { code, out, err } = await untilPrinted('Ctrl-C', ['local', '--port', '0', '--no-throttle'])
    expect(code).toBe(0)
    expect(out + err).toMatch(/http:\/\/127\.0\.0\.1:\d+/)
  })

  it('takes the region of requests that name none, the pace of time and the delays of the service', async () => {
    const flags = ['--region', 'eu-west-1', '--speed', '60', '--control-plane-delays', 'real']
    const { code, out } = await isothermUntil(
      /http:\/\/127\.0\.0\.1:\d+/,
      ['local', '--port', '0', ...flags],
      async (url) => {
        const headers = {
          'content-type': 'application/x-amz-json-1.0',
          'x-amz-target': 'DynamoDB_20120810.CreateTable',
        }
        const body = JSON.stringify(table('things', ['id']))
        const response = await fetch(url, { method: 'POST', headers, body })
        expect(await response.json()).toMatchObject({
          TableDescription: { TableStatus: 'CREATING', TableArn: expect.stringContaining(':eu-west-1:') },
        })
      },
    )
    expect(code).toBe(0)
    expect(out).toContain('time passes 60 times as fast')
  })

  it('tells all its flags', async () => {
    const { code, out } = await isotherm('local', '--help')
    expect(code).toBe(0)
    for (const flag of [
      '--port',
      '--host',
      '--allow-host',
      '--data',
      '--credentials',
      '--trace',
      '--no-throttle',
      '--region',
      '--speed',
      '--control-plane-delays',
      '--transaction-milliseconds',
    ]) {
      expect(out).toContain(flag)
    }
  })

  it('starts with the tables and items of a folder', async () => {
    const seeds = join(folder, 'seeds')
    mkdirSync(join(seeds, 'votes'), { recursive: true })
    writeFileSync(join(seeds, 'orders.table.json'), JSON.stringify(table('orders', ['id'])))
    writeFileSync(join(seeds, 'orders.csv'), 'id,total\n1,5\n2,6\n')
    writeFileSync(join(seeds, 'orders.more.jsonl'), '{"id":{"S":"3"}}\n')
    const { BillingMode: _, ...described } = table('votes', ['id'], { global: { by_at: ['at:N'] } })
    writeFileSync(join(seeds, 'votes.table.json'), JSON.stringify({ Table: described }))
    writeFileSync(join(seeds, 'votes', 'a.jsonl'), '{"id":"a","at":1}\n')
    // Its files begin like those of orders.
    writeFileSync(
      join(seeds, 'orders.old.table.json'),
      `\ufeff${JSON.stringify(table('orders.old', ['id']))}`,
    )
    writeFileSync(join(seeds, 'orders.old.jsonl'), '{"id":"4"}\n{"id":"5"}\n')
    const { code, out } = await isothermUntil(/Ctrl-C/, ['local', '--port', '0', '--seed-from', seeds])
    expect(out).toMatch(
      /^Table orders\.old: 2 items\.\nTable orders: 3 items\.\nTable votes: 1 items\.\nDynamoDB endpoint /,
    )
    expect(code).toBe(0)
    const json = await isothermUntil(/}]}\n/, ['local', '--port', '0', '--seed-from', seeds, '--json'])
    const { url, ...rest } = JSON.parse(json.out)
    expect(rest).toEqual({
      console: `${url}/_isotherm/`,
      region: 'us-east-1',
      tables: [
        { table: 'orders.old', items: 2 },
        { table: 'orders', items: 3 },
        { table: 'votes', items: 1 },
      ],
    })
    const wrong = await isotherm('local', '--port', '0', '--seed-from', join(seeds, 'orders.csv'))
    expect(wrong).toMatchObject({
      code: 1,
      err: expect.stringContaining('it must be a file NAME.table.json'),
    })
    const keyless = join(seeds, 'orders.more.jsonl')
    writeFileSync(keyless, '{"id":"4"}\n{"total":7}\n')
    expect(await isotherm('local', '--port', '0', '--seed-from', seeds)).toEqual({
      code: 1,
      out: '',
      err: `isotherm: ${keyless}, line 2: the item has no id, which is the partition key (S) of orders.\n`,
    })
    writeFileSync(keyless, '{"id":{"S":"4"},"total":{"N":"1e999"}}\n')
    const { err } = await isotherm('local', '--port', '0', '--seed-from', seeds)
    expect(err).toContain(
      `isotherm: The items of ${keyless} cannot be written to orders: ValidationException: Number`,
    )
  })

  it('says which part of a CloudFormation template defines a table to start with', async () => {
    const file = join(folder, 'template.table.json')
    const { TableName: _, ...Properties } = table('orders', ['id'])
    const Orders = { Type: 'AWS::DynamoDB::Table', Properties }
    for (const given of [Orders, { Resources: { Orders } }]) {
      writeFileSync(file, JSON.stringify(given))
      const { code, err } = await isotherm('local', '--port', '0', '--seed-from', file)
      expect(err).toContain('save the Properties of one table, with its TableName.')
      expect(code).toBe(1)
    }
  })

  it('answers no request before the tables have their items', async () => {
    const seeds = join(folder, 'slow-seeds')
    mkdirSync(seeds)
    writeFileSync(join(seeds, 'orders.table.json'), JSON.stringify(table('orders', ['id'])))
    // A pipe opens once the command reads it, and then the command waits for what is written to it.
    const items = join(seeds, 'orders.jsonl')
    spawnSync('mkfifo', [items])
    const url = `http://127.0.0.1:${await freePort()}`
    const args = ['local', '--port', new URL(url).port, '--seed-from', seeds]
    const served = isothermUntil(/Ctrl-C/, args, async () => {
      expect((await fetch(url)).status).toBe(200)
    })
    const pipe = await open(items, 'w')
    await expect(fetch(url)).rejects.toThrow('fetch failed')
    await pipe.write('{"id":{"S":"1"}}\n')
    await pipe.close()
    expect((await served).out).toMatch(/^Table orders: 1 items\.\n/)
  })

  it('keeps its data in a directory, and leaves it in order on Ctrl-C', async () => {
    const data = join(folder, 'data')
    for (let start = 0; start < 2; start++) {
      const { code, out } = await isothermUntil(/Ctrl-C/, ['local', '--port', '0', '--data', data])
      expect(code).toBe(0)
      expect(out).toContain(`data in ${data}`)
    }
  })

  it('records requests in a file that it does not overwrite', async () => {
    const trace = join(folder, 'trace.jsonl')
    const served = ['local', '--port', '0', '--trace', trace]
    const first = await isothermUntil(/http:\/\/[\d.]+:\d+/, served, async (url) => {
      const headers = {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': 'DynamoDB_20120810.ListTables',
      }
      await fetch(url, { method: 'POST', headers, body: '{}' })
    })
    expect(first.code).toBe(0)
    const lines = readFileSync(trace, 'utf8').trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line).operation)).toEqual([undefined, 'ListTables'])
    const { code, err } = await isotherm('local', '--port', '0', '--trace', trace)
    expect(code).toBe(1)
    expect(err).toContain(`isotherm: The trace file ${trace} exists already and is not overwritten`)
  })

  it('refuses a directory that is not its own', async () => {
    const { code, err } = await isotherm('local', '--port', '0', '--data', folder)
    expect(code).toBe(1)
    expect(err).toContain(`isotherm: The data directory ${folder} holds other files`)
  })
})

describe('isotherm proxy', () => {
  const config = join(folder, 'isotherm.yaml')
  writeFileSync(config, 'tables:\n  log: { partitionKey: id, suffix: random, shards: { fixed: 4 } }\n')

  it('checks a configuration, and prints its schema', async () => {
    expect(await isotherm('proxy', '--config', config, '--check')).toEqual({
      code: 0,
      out: `The configuration ${config} is valid. Tables: log.\n`,
      err: '',
    })
    for (const [flags, port] of [
      [[], 8010],
      [['--port', '9001'], 9001],
      [['--port', '9001', '--host', '0.0.0.0'], 9001],
    ] as const) {
      const check = ['--config', config, '--check', '--upstream', `http://127.0.0.1:${port}`]
      const { code, err } = await isotherm('proxy', ...check, ...flags)
      expect(err).toContain(`The upstream http://127.0.0.1:${port} is this proxy itself`)
      expect(code).toBe(1)
    }
    const { out } = await isotherm('proxy', '--print-schema')
    expect(JSON.parse(out)).toMatchObject({ title: 'isotherm.yaml' })
  })

  it('serves until Ctrl-C, then stops and exits 0', async () => {
    const { createLocal } = await import('@isotherm/local')
    const local = createLocal()
    const { url } = await local.listen({ port: 0 })
    const child = start([
      'proxy',
      '--config',
      config,
      '--upstream',
      url,
      '--port',
      '0',
      '--console',
      '--json',
    ])
    const { url: proxy } = JSON.parse(await child.heard(/\{"url".*/))
    const headers = {
      'content-type': 'application/x-amz-json-1.0',
      'x-amz-target': 'DynamoDB_20120810.ListTables',
    }
    const response = await fetch(proxy, { method: 'POST', headers, body: '{}' })
    expect(await response.json()).toEqual({ TableNames: [] })
    const shown = await (await fetch(`${proxy}/_isotherm/v1/tables`)).json()
    expect(shown).toMatchObject({ tables: [], offers: { endpoint: url } })
    child.interrupt()
    expect(await child.ended).toMatchObject({ code: 0, err: '' })
    await local.close()
  })

  it('warns when it lets other machines in without callers', async () => {
    const ports = ['--port', '0', '--upstream', 'http://127.0.0.1:9']
    const flags = ['--config', config, ...ports, '--host', '0.0.0.0']
    const { err } = await isothermUntil(/Ctrl-C/, ['proxy', ...flags])
    expect(err).toMatch(/^isotherm: The host 0\.0\.0\.0 lets other machines in, and without callers/)
  })
})

describe('isotherm replay', () => {
  const trace = join(folder, 'replayed.jsonl')
  const create = table('things', ['id'], { units: 10 })
  const requests = Array.from({ length: 100 }, (_, number) => ({
    number,
    at: number * 20,
    region: 'eu-west-1',
    operation: 'PutItem',
    request: { TableName: 'things', Item: { id: { S: `${number % 7}` } } },
    outcome: 'ok',
    takes: [],
    refusals: [],
  }))
  const setup = [{ region: 'eu-west-1', operation: 'CreateTable', request: create }]
  const header = {
    isotherm: 'trace',
    version: 1,
    startedAt: 1.8e12,
    model: 'adaptive',
    throttle: false,
    setup,
    items: 0,
  }
  writeFileSync(trace, [header, ...requests].map((line) => `${JSON.stringify(line)}\n`).join(''))

  it('prints what became of the requests, then and now, the same each time', async () => {
    const { code, out } = await isotherm('replay', trace)
    expect(code).toBe(0)
    expect(out).toContain('Replayed 100 requests, 2.0 s, adaptive capacity, seed 1')
    expect(out).toMatch(/share throttled\s*│\s*0\.0 %\s*│\s*\d\d\.\d %/)
    expect(out).toContain('TableWriteProvisionedThroughputExceeded')
    expect(out).toContain('Recorded without limits')
    expect((await isotherm('replay', trace)).out).toBe(out)
  })

  it('runs on another capacity, design and rate, and prints JSON', async () => {
    const accepted = async (...flags: string[]) => {
      const { out } = await isotherm('replay', trace, '--json', ...flags)
      return JSON.parse(out).tables[0].replayed.accepted
    }
    const design = join(folder, 'design.json')
    writeFileSync(design, JSON.stringify({ things: { BillingMode: 'PAY_PER_REQUEST' } }))
    expect(await accepted()).toBeLessThan(50)
    expect(await accepted('--rate', '0.1')).toBe(100)
    expect(await accepted('--read', '5', '--write', '60')).toBe(100)
    expect(await accepted('--billing-mode', 'PAY_PER_REQUEST')).toBe(100)
    expect(await accepted('--design', design)).toBe(100)
  })

  const wrong = join(folder, 'wrong.json')
  writeFileSync(wrong, '{"things":{"shards":3}}')
  it.each([
    [['replay'], 2, "Missing required argument 'file'"],
    [['replay', '/nowhere'], 1, 'The trace /nowhere cannot be read (ENOENT)'],
    [['replay', wrong], 1, 'is no trace'],
    [['replay', trace, '--read', '5'], 2, '--read needs --write, too'],
    [['replay', trace, '--rate', '0'], 2, "--rate is '0'"],
    [['replay', trace, '--design', '/nowhere'], 1, 'The design /nowhere cannot be read (ENOENT)'],
    [['replay', trace, '--design', trace], 1, 'is not JSON'],
    [['replay', trace, '--design', wrong], 2, "The design of table things has 'shards'"],
  ])('%j exits %i with one sentence that names it', async (args, code, text) => {
    const ended = await isotherm(...args)
    expect(ended.code).toBe(code)
    expect(ended.out).toBe('')
    expect(ended.err).toContain(text)
    expect(ended.err.trimEnd().split('\n')).toHaveLength(1)
  })
})

describe('isotherm', () => {
  it('alone prints its help, as do --help and help, and exits 0', async () => {
    const [alone, flag, word] = [await isotherm(), await isotherm('--help'), await isotherm('help')]
    expect(alone).toMatchObject({ code: 0, err: '' })
    expect(alone.out).toContain('Usage: isotherm [options] [command]')
    expect([flag, word]).toEqual([alone, alone])
  })

  it('prints the help of a command by help and by --help', async () => {
    for (const { name } of COMMANDS) {
      const [word, flag] = [await isotherm('help', name), await isotherm(name, '--help')]
      expect(word.out).toContain(`Usage: isotherm ${name}`)
      expect(word.out).toMatch(/\nExamples?:\n {2}isotherm /)
      expect(flag).toEqual(word)
    }
    expect(await isotherm('help', 'shards', 'drain')).toEqual(await isotherm('shards', 'drain', '--help'))
  })
})

describe('output that cannot be written', () => {
  it.skipIf(process.platform !== 'linux').each([['--help'], ['plan', '--writes', '10']])(
    'to a full disk is one sentence (%s)',
    async (...args) => {
      const full = openSync('/dev/full', 'w')
      const child = spawn(process.execPath, [bin, ...args], { stdio: ['ignore', full, 'pipe'] })
      running.add(child)
      let err = ''
      child.stderr?.on('data', (data) => {
        err += data
      })
      const code = await new Promise((resolve) => child.on('close', resolve))
      closeSync(full)
      expect({ code, err }).toEqual({
        code: 1,
        err: 'isotherm: The output cannot be written: the disk is full.\n',
      })
    },
  )
})

describe('colours', () => {
  const outputIn = (env: NodeJS.ProcessEnv) => {
    const { NO_COLOR: _, ...usual } = process.env
    const args = [bin, 'plan', '--writes', '10', '--hot-writes', '5']
    return spawnSync(process.execPath, args, { env: { ...usual, ...env }, encoding: 'utf8' }).stdout
  }

  it('are not in a pipe, whatever the terminal and where CI is set', () => {
    const out = outputIn({ CI: 'true', TERM: 'xterm-256color', COLORTERM: 'truecolor' })
    expect(out).toContain('table: ')
    expect(out).not.toContain('\u001B')
  })

  it('are in a pipe with FORCE_COLOR', () => {
    expect(outputIn({ FORCE_COLOR: '1' })).toContain('\u001B[1mtable\u001B[22m')
  })
})

describe('bad input', () => {
  const badLog = join(folder, 'bad.tsv')
  const heading = 'epoch_seconds\tclient\tmethod\tpath\tstatus\tbytes\n'
  writeFileSync(badLog, `${heading}1\tc\tGET\t/a\t200\t5\n2\tc\tGET\t/a\tmany\t5\n`)

  it.each([
    [['run', 'hot-file', '--bogus'], 2, "'--bogus'"],
    [['run', 'hot-file', '--port', '70000'], 2, "'70000'; it must be a whole number from 0 to 65535"],
    [['run', 'hot-file', '--viral-rate', 'fast'], 2, "'fast'"],
    [['run', 'hot-file', '--once', '--file', '/nowhere'], 2, "'/nowhere'"],
    [['run', 'hot-file', '--log', '/nowhere.tsv'], 1, '/nowhere.tsv cannot be read (ENOENT)'],
    [['run', 'hot-file', '--log', badLog], 1, "Line 3 of the access log is malformed: its status is 'many'"],
    [['local', '--port', '-1'], 2, "'-1'"],
    [['local', '--region', 'US East'], 2, "--region is 'US East'; it must be 1 to 64 lowercase letters"],
    [['local', '--speed', '0'], 2, "--speed is '0'; it must be a number from 0.001 to 1000"],
    [['local', '--control-plane-delays', 'some'], 2, "is 'some'; it must be none or real"],
    [['local', '--transaction-milliseconds', '-5'], 2, "'-5'; it must be a number from 0 to 60000"],
    [['local', '--port', '0', '--host', '192.0.2.1'], 1, 'Give an address of this machine as the host'],
    [['local', '--port', '0', '--data', '/dev/null'], 1, '/dev/null'],
    [['local', '--port', '0', '--buckets', '/nowhere'], 1, 'There is no directory /nowhere for buckets.'],
    [['local', '--capacity', 'new'], 2, "--capacity is 'new'; it must be adaptive or classic."],
    [['fly'], 2, "There is no command 'fly'; it must be run or "],
    [['lnt'], 2, "There is no command 'lnt'; did you mean 'lint'? See 'isotherm --help'."],
    [['lnt', '--table', 'x'], 2, "There is no command 'lnt'; did you mean 'lint'? See 'isotherm --help'."],
    [['shards', 'lst', '--table', 'x'], 2, "did you mean 'list'? See 'isotherm shards --help'."],
    [['--tabel', 'x'], 2, "Unknown option '--tabel'. See --help."],
    [['hlep'], 2, "There is no command 'hlep'; did you mean 'help'?"],
    [['hot', '--tabel', 'x'], 2, "Unknown option '--tabel' (did you mean --table?). See --help."],
    [
      ['shards', 'set', '--table', 'x', '--shards', '3'],
      2,
      "Unknown option '--shards' (did you mean --to?).",
    ],
    [['shards', 'drain', '--table', 'x', '--kye=a'], 2, "Unknown option '--kye' (did you mean --key?)."],
    [
      ['local', '--no-throttle=false'],
      2,
      '--no-throttle takes no value. Write --no-throttle, or leave it out.',
    ],
    [['shards', 'list', '--table', 'x', '--json=1'], 2, '--json takes no value.'],
    [
      ['local', '--data', '--no-throttle'],
      2,
      '--data has no value; the next word is the flag --no-throttle. If that is the value, write --data=--no-throttle.',
    ],
    [['shards', 'list', '--table', '--json'], 2, '--table has no value; the next word is the flag --json.'],
    [
      ['local', '--trace='],
      2,
      "--trace is ''; it must not be empty. Write --trace <file>, or leave --trace out.",
    ],
    [['local', '--buckets', ''], 2, "--buckets is ''; it must not be empty."],
    [['local', '--host', ''], 2, "--host is ''; it must not be empty."],
    [['local', '--allow-host', ''], 2, "--allow-host is ''; it must not be empty."],
    [['local', '--verify', ''], 2, "--verify is ''; it must not be empty. Write --verify <directory>, or"],
    [['local', '--port', '0', '--seed-from', ''], 2, "--seed-from is ''; it must not be empty."],
    [['shards', 'list', '--table', ''], 2, "--table is ''; it must not be empty. Write --table <name>."],
    [
      ['shards', 'show', '--table', 'x', '--key='],
      2,
      "--key is ''; it must not be empty. Write --key <text>.",
    ],
    [['replay', 'x', '--compare', 'a', ''], 2, "--compare is ''; it must not be empty."],
    [['proxy', '--config', ''], 2, "--config is ''; it must not be empty."],
    [['local', '--port', ''], 2, "--port is ''; it must be a whole number from 0 to 65535."],
    [['help', 'fly'], 2, "There is no command 'fly'; it must be run or "],
    [['help', 'shards', 'drian'], 2, "did you mean 'drain'? See 'isotherm shards --help'."],
    [['completion'], 2, 'The shell is missing; it must be bash or zsh or fish.'],
    [['proxy'], 2, '--config is missing'],
    [['proxy', '--config', '/nowhere.yaml'], 2, 'The configuration /nowhere.yaml cannot be read (ENOENT)'],
    [['proxy', '--config', badLog], 2, 'bad.tsv:1:1: The configuration is'],
    [['proxy', '--upstream', 'here'], 2, "--upstream is 'here'; it must be a URL"],
  ])('%j exits %i with one sentence that names it', async (args, code, text) => {
    const ended = await isotherm(...args)
    expect(ended.code).toBe(code)
    expect(ended.out).toBe('')
    expect(ended.err).toContain(text)
    expect(ended.err.trimEnd().split('\n')).toHaveLength(1)
  })

  // Vitest would load the modules in another way than Node.
  it('says that a file is no module, and how a module is named where the package has CommonJS', () => {
    const yaml = join(folder, 'options.yaml')
    writeFileSync(yaml, '')
    const commonJs = ['export default {}', "import 'node:fs'"].map((text) => {
      const directory = mkdtempSync(join(folder, 'commonjs-'))
      writeFileSync(join(directory, 'package.json'), '{"type":"commonjs"}')
      const file = join(directory, 'options.js')
      writeFileSync(file, text)
      return file
    })
    const files = [yaml, ...commonJs]
    const reasons = builtOneByOne(files.map((file) => ['adopt', '--table', 'x', '--options', file]))
    const unloadable = (file: string | undefined, reason: string) => ({
      code: 1,
      out: '',
      err: `isotherm: --options is '${file}', which cannot be loaded: ${reason}\n`,
    })
    const named =
      'its package has CommonJS modules. Name it options.mjs, or set "type": "module" in package.json.'
    expect(reasons).toEqual([
      unloadable(yaml, 'it must be a module, with a name that ends in .js or .mjs.'),
      unloadable(commonJs[0], named),
      unloadable(commonJs[1], named),
    ])
  })

  it('says which endpoint it could not reach', async () => {
    const { code, err } = await isotherm('run', 'hot-file', '--endpoint', 'http://127.0.0.1:9', '--no-chart')
    expect(code).toBe(1)
    expect(err).toContain('cannot be reached')
  })
})

describe('a reader that closes the pipe early', () => {
  it('ends isotherm hot, which turns Contributor Insights off again', async () => {
    const { createLocal } = await import('@isotherm/local')
    const { DescribeContributorInsightsCommand } = await import('@aws-sdk/client-dynamodb')
    const local = createLocal()
    try {
      const { url } = await local.listen({ port: 0 })
      const client = local.client()
      await client.send(createTable('counted', ['pk']))
      const watching = ['--enable', '--watch', '--every', '1', '--json']
      const child = spawn(process.execPath, [
        bin,
        'hot',
        '--table',
        'counted',
        '--endpoint',
        url,
        ...watching,
      ])
      running.add(child)
      let err = ''
      child.stderr.on('data', (data) => {
        err += data
      })
      child.stdout.once('data', () => child.stdout.destroy())
      const code = await new Promise((resolve) => child.on('close', resolve))
      expect(err).toBe('isotherm: Contributor Insights of counted is off again\n')
      expect(code).toBe(0)
      expect(
        await client.send(new DescribeContributorInsightsCommand({ TableName: 'counted' })),
      ).toMatchObject({ ContributorInsightsStatus: expect.stringMatching(/^DISABL/) })
    } finally {
      await local.close()
    }
  })
})
