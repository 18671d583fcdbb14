import { parsedAnswer } from '../load/answer-reader.js'
import type { LoadGenerator } from '../load/load-generator.js'
import { MEASURED_OPERATIONS } from '../measured-operations.js'
import type { Contestant } from './contestant.js'
import { fill } from './fill.js'
import { forkServer } from './forked-server.js'
import { ServedContestant } from './served-contestant.js'
import type { CannedAnswer } from './serving-process.js'

/** A server of `node:http` that parses the same JSON, stores nothing, and answers the same bytes as the engine. */
export function bareServer(generator: LoadGenerator): Contestant {
  return {
    name: 'bare node:http',
    kind: 'server',
    start: async () => {
      const server = await forkServer({ kind: 'bare', answers: await engineAnswers(generator) })
      const about = `node:http of Node ${process.versions.node}, which parses the JSON and answers the bytes of the engine`
      return new ServedContestant({ ...server, protocol: 'http', about, hasData: true }, generator)
    },
  }
}

/** A server that reads nothing: the limit of the generator of load. */
export function deafServer(generator: LoadGenerator): Contestant {
  return {
    name: 'load generator alone',
    kind: 'limit',
    start: async () => {
      const answers = await engineAnswers(generator, ['GetItem'])
      const [answer] = Object.values(answers)
      if (answer === undefined) throw new Error('The engine has not answered a GetItem.')
      const server = await forkServer({ kind: 'deaf', answer })
      const about = 'a socket that is answered without looking at the requests'
      const operations = ['GetItem']
      return new ServedContestant(
        { ...server, protocol: 'http', about, operations, hasData: false },
        generator,
      )
    },
  }
}

async function engineAnswers(
  generator: LoadGenerator,
  operations: readonly string[] = MEASURED_OPERATIONS.map(({ operation }) => operation),
): Promise<Record<string, CannedAnswer>> {
  const { port, stop } = await forkServer({ kind: 'engine', data: undefined })
  await fill(port, generator)
  const answers: Record<string, CannedAnswer> = {}
  for (const { name, operation } of MEASURED_OPERATIONS) {
    if (!operations.includes(operation)) continue
    const order = { port, protocol: 'http', operation: name, connections: 1 } as const
    const { answer } = await generator.send({ ...order, until: { requests: 1 } })
    answers[`DynamoDB_20120810.${operation}`] = parsedAnswer(Buffer.from(answer))
  }
  stop()
  return answers
}
