import { contactRows } from './contact-rows.js'
import { containsScan, loadPlain } from './contains-scan.js'
import { LENGTHS, type QueryFigures } from './measure-queries.js'
import { MeasuredEngine, type Taken } from './measured-engine.js'
import type { SearchedTexts } from './searched-texts.js'

/** Each of them reads all contacts, unless many match. */
const SCANS = 8
/** No contact contains it, so the whole tenant is read. */
const ABSENT = '\u0000'

/** The same contacts searched by DynamoDB's own `contains`, in an engine of their own: that of the directory needs the memory before. */
export async function measureScans(
  count: number,
  texts: SearchedTexts,
  onProgress: (text: string) => void,
): Promise<readonly QueryFigures[]> {
  const engine = new MeasuredEngine()
  const { clock, client } = engine
  const scans: QueryFigures[] = []
  await clock.run(async () => {
    await loadPlain(engine, contactRows(count))
    for (const length of LENGTHS) {
      const taken: Taken[] = []
      for (const { text } of texts.queries(SCANS, 'substring', length))
        taken.push(await engine.measure(() => containsScan(client, text)))
      scans.push({ what: `\`contains\`, ${length} characters`, taken })
      onProgress(`contains of ${length} characters measured`)
    }
    const whole = await engine.measure(() => containsScan(client, ABSENT))
    scans.push({ what: WHOLE_TENANT, taken: [whole] })
  })
  await engine.close()
  return scans
}

/** The scan that reads all contacts. */
export const WHOLE_TENANT = '`contains`, no match'
