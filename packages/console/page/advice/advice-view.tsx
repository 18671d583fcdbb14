import type { Advice, AdviceFinding } from '../../src/api/advice'
import { endpointFlag } from '../state/endpoint-flag'
import { Failure, Unanswered } from '../state/unanswered'
import { useApi } from '../state/use-api'
import { view } from '../state/view'

const WORDS = { error: 'Error', warning: 'Warning', note: 'Note' } as const

/** What the linter finds in the definition of the table. */
export function AdviceView() {
  const { answer, failure } = useApi<Advice>('advice', { follows: false })
  if (answer === undefined) return <Unanswered failure={failure} />
  const command = `isotherm lint --table ${view.value.table} --sample 1000 ${endpointFlag()}`
  return (
    <section aria-label="Advice">
      <Failure text={failure} />
      {answer.findings.length === 0 && (
        <p class="hint large">The linter found no problem in the definition of this table.</p>
      )}
      <ul class="advice">
        {answer.findings.map((finding) => (
          <AdviceEntry key={`${finding.rule} ${finding.subject}`} finding={finding} />
        ))}
      </ul>
      <p class="hint">
        Items are not read here, because that would cost the table capacity. To check a sample of them, run{' '}
        <code>{command}</code>
      </p>
    </section>
  )
}

function AdviceEntry({ finding }: { readonly finding: AdviceFinding }) {
  const { level, rule, title, subject, evidence, consequence, cure, page } = finding
  return (
    <li class={level}>
      <h3>
        <span class="level">{WORDS[level]}</span> {title}: {subject}
      </h3>
      <p>{evidence}</p>
      <p>{consequence}</p>
      <p>
        <strong>Cure.</strong> {cure.text}
      </p>
      {cure.code !== undefined && (
        <details>
          <summary>Code</summary>
          <pre>{cure.code}</pre>
        </details>
      )}
      <a href={page} rel="noreferrer" target="_blank">
        {rule}
      </a>
    </li>
  )
}
