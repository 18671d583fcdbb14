import { grouped, valueText } from '../../text/text.js'
import type { Found, Rule } from '../rule/rule.js'

/** Seconds of the year 5138, which no expiry has; as milliseconds they are in 1973. */
const LAST_SECOND = 1e11
const SOURCE = 'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/howitworks-ttl.html'

export const timeToLiveNotSeconds: Rule = {
  id: 'time-to-live-not-seconds',
  level: 'error',
  title: 'Items do not expire, because time to live is not a number of seconds',
  why: [
    'Time to live is a number: seconds since 1970. Text is ignored, and milliseconds are a date in 50,000 years. DynamoDB reports neither: the items just stay.',
    'An expiry of more than five years ago is ignored, too.',
  ],
  sources: [SOURCE],
  example: {
    table: {
      TableName: 'sessions',
      AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
      KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
      TimeToLiveSpecification: { AttributeName: 'expires', Enabled: true },
      BillingMode: 'PAY_PER_REQUEST',
    },
    items: [{ id: '1', expires: 1_795_000_000_000 }],
  },
  check({ table, sample }) {
    const { timeToLive } = table
    if (timeToLive === undefined) return []
    const found = (evidence: string, cure: string): Found => ({
      subject: `attribute ${timeToLive}`,
      evidence,
      consequence:
        'Items never expire. Storage grows, and costs 0.25 US dollars for each GB and month (us-east-1).',
      cure: { text: cure },
    })
    const declared = table.declared.find(({ name }) => name === timeToLive)
    if (declared?.type === 'S' || declared?.type === 'B') {
      return [
        found(
          `${timeToLive} is declared with the type ${declared.type}.`,
          'Use an attribute of its own for time to live, a number of seconds. It needs no declaration.',
        ),
      ]
    }
    if (sample === undefined || sample.items === 0) return []
    const figures = sample.attributes.get(timeToLive)
    if (figures === undefined) {
      return [
        {
          ...found(
            `None of ${grouped(sample.items)} sampled items has ${timeToLive}.`,
            'Set the attribute when an item is written, or turn time to live off.',
          ),
          level: 'warning',
        },
      ]
    }
    const notNumbers = figures.items - (figures.types.get('N') ?? 0)
    const late = sample
      .mostFrequent(timeToLive, Number.POSITIVE_INFINITY)
      .filter(({ value }) => 'N' in value && Number(value.N) >= LAST_SECOND)
    const [example] = late
    return [
      ...(notNumbers === 0
        ? []
        : [
            found(
              `${timeToLive} is no number in ${grouped(notNumbers)} of ${grouped(figures.items)} sampled items.`,
              'Write it as a number: { N: String(Math.floor(milliseconds / 1000)) }.',
            ),
          ]),
      ...(example === undefined
        ? []
        : [
            found(
              `${timeToLive} is ${valueText(example.value)} in a sampled item: milliseconds, not seconds.`,
              'Divide by 1,000 and round: Math.floor(milliseconds / 1000).',
            ),
          ]),
    ]
  },
}
