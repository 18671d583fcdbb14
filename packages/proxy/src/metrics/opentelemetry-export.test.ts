import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { openTelemetryExport } from './opentelemetry-export.js'

it('sends all metrics to the collector, at the latest when it stops', async () => {
  const received: string[] = []
  const collector = createServer((request, response) => {
    request.setEncoding('utf8')
    request.on('data', (chunk) => received.push(chunk))
    request.on('end', () => response.end('{}'))
  })
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve))
  const { port } = collector.address() as AddressInfo
  const sent = await openTelemetryExport(`http://127.0.0.1:${port}/v1/metrics`, 60_000)
  sent.meter.createCounter('isotherm.proxy.requests').add(3)
  await sent.stop()
  expect(received.join('')).toContain('isotherm.proxy.requests')
  expect(received.join('')).toContain('isotherm-proxy')
  collector.close()
})

it('names the command that installs the packages, where they are missing', async () => {
  const load = () => import('@opentelemetry/not-installed' as string)
  await expect(openTelemetryExport('http://127.0.0.1:4318', 60_000, load)).rejects.toMatchObject({
    code: 'metrics.exporter-missing',
    message: expect.stringContaining(
      'npm install @opentelemetry/exporter-metrics-otlp-http @opentelemetry/resources @opentelemetry/sdk-metrics',
    ),
  })
})
