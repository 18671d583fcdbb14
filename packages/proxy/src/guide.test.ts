import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { createLocal } from '@isotherm/local'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { parseConfig } from './config/read-config.js'
import { startProxy } from './start-proxy.js'

const read = (path: string) =>
  readFileSync(fileURLToPath(new URL(`../../../${path}`, import.meta.url)), 'utf8')

/** The configurations in a page. */
function configsIn(page: string): readonly string[] {
  return [...read(page).matchAll(/^```yaml\n(# isotherm\.yaml\n.*?)^```/gms)].map(([, text = '']) => text)
}

describe.each(['docs/proxy.md', 'packages/proxy/README.md'])('the configurations in %s', (page) => {
  it('are valid', () => {
    const configs = configsIn(page)
    expect(configs.length).toBeGreaterThan(0)
    for (const config of configs) expect(() => parseConfig(page, config)).not.toThrow()
  })
})

it('the guide shows options of every kind in their configured form', () => {
  const rows = [
    ...read('docs/proxy.md').matchAll(
      /^\| `[^|]+` \| `((?:shards|suffix|policy|reads|capacity):[^`]+)` \|$/gm,
    ),
  ]
  expect(rows.length).toBeGreaterThan(6)
  for (const [, row = ''] of rows) {
    const [name = ''] = row.split(':')
    const option = parse(row)
    const isOfShards = name === 'policy' || name === 'reads'
    const table = {
      partitionKey: 'pk',
      sortKey: 'order_id',
      suffix: 'random',
      shards: 'dynamic',
      ...(isOfShards ? { shards: { dynamic: option } } : option),
    }
    expect(() => parseConfig('row', JSON.stringify({ tables: { log: table } })), row).not.toThrow()
  }
})

describe('the sidecar', () => {
  const endpoint = 'http://127.0.0.1:8010'

  it('for Kubernetes has a valid configuration, and leaves the proxy time to stop', () => {
    const [map, deployment] = parseAllDocuments(read('packages/proxy/deploy/kubernetes.yaml')).map((each) =>
      each.toJS(),
    )
    expect(parseConfig('kubernetes.yaml', map.data['isotherm.yaml']).config.limits).toEqual({ stop: '20s' })
    const { initContainers, containers, terminationGracePeriodSeconds } = deployment.spec.template.spec
    expect(initContainers[0]).toMatchObject({ restartPolicy: 'Always', livenessProbe: expect.anything() })
    expect(containers[0].env.map(({ value }: { value: string }) => value)).toEqual([endpoint, endpoint])
    expect(terminationGracePeriodSeconds).toBeGreaterThan(30)
  })

  it('for ECS starts the application after the proxy', () => {
    const { containerDefinitions } = JSON.parse(read('packages/proxy/deploy/ecs-task-definition.json'))
    const [proxy, application] = containerDefinitions
    expect(application.dependsOn).toEqual([{ containerName: proxy.name, condition: 'HEALTHY' }])
    expect(application.environment[0]).toEqual({ name: 'AWS_ENDPOINT_URL_DYNAMODB', value: endpoint })
    expect(proxy.stopTimeout).toBeGreaterThan(25)
  })

  const kubernetes = () => {
    const [, deployment] = parseAllDocuments(read('packages/proxy/deploy/kubernetes.yaml'))
    return deployment?.toJS().spec.template.spec.initContainers[0]
  }

  it.each([
    [
      'the Dockerfile',
      () => JSON.parse(/^ {2}CMD (\[.*\])$/m.exec(read('packages/proxy/deploy/Dockerfile'))?.[1] ?? '[]'),
    ],
    ['the probe at the start in Kubernetes', () => kubernetes().startupProbe.exec.command],
    ['the probe while it runs in Kubernetes', () => kubernetes().livenessProbe.exec.command],
    [
      'ECS',
      () =>
        JSON.parse(
          read('packages/proxy/deploy/ecs-task-definition.json'),
        ).containerDefinitions[0].healthCheck.command.slice(1),
    ],
  ])(
    'has a health check that a proxy passes, and that fails while nothing answers: %s',
    async (_, commandOf) => {
      const local = createLocal()
      const proxy = await startProxy({ client: local.client(), port: 0, tables: {} })
      const [program, option, script, ...more] = commandOf()
      expect([program, option, typeof script, more]).toEqual(['node', '-e', 'string', []])
      const check = async () => {
        const child = spawn(process.execPath, ['-e', script.replace('8010', String(proxy.port))])
        const [status] = await once(child, 'close')
        return status
      }
      expect(await check()).toBe(0)
      await proxy.stop()
      expect(await check()).toBe(1)
      await local.close()
    },
  )
})
