import type { Log, ReportingDescriptor, Result } from 'sarif'
import type { Finding } from './finding.js'
import { rulePage } from './rule-page.js'
import { RULES } from './rules.js'

const SCHEMA = 'https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json'

/**
 * Findings as a log in SARIF 2.1.0, which code hosts show beside the lines of a change.
 *
 * @param version of the tool
 * @example
 * console.log(JSON.stringify(sarifLog([], '0.1.0')))
 */
export function sarifLog(findings: readonly Finding[], version: string): Log {
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'isotherm lint',
            version,
            informationUri: 'https://github.com/isotherm/isotherm',
            rules: RULES.map(descriptorOf),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: findings.map(resultOf),
      },
    ],
  }
}

function descriptorOf({ id, title, why, level }: (typeof RULES)[number]): ReportingDescriptor {
  return {
    id,
    shortDescription: { text: `${title}.` },
    fullDescription: { text: why.join(' ') },
    helpUri: rulePage(id),
    defaultConfiguration: { level },
  }
}

function resultOf({ rule, level, table, place, subject, evidence, consequence, cure }: Finding): Result {
  const { file, firstLine, resource } = place
  return {
    ruleId: rule,
    ruleIndex: RULES.findIndex(({ id }) => id === rule),
    level,
    message: { text: `${table}, ${subject}: ${evidence} ${consequence} ${cure.text}` },
    locations: [
      {
        ...(file === undefined
          ? {}
          : {
              physicalLocation: {
                artifactLocation: { uri: uriOf(file) },
                ...(firstLine === undefined ? {} : { region: { startLine: firstLine } }),
              },
            }),
        logicalLocations: [
          { name: resource ?? table, fullyQualifiedName: `${table}/${subject}`, kind: 'resource' },
        ],
      },
    ],
    // Lines move; the same finding of the same table is the same.
    partialFingerprints: { 'isotherm/v1': `${rule}:${table}:${subject}` },
  }
}

function uriOf(file: string): string {
  return file.replaceAll('\\', '/').split('/').map(encodeURIComponent).join('/')
}
