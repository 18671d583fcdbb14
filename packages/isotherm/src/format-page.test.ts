import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'

const pathOf = (path: string) => fileURLToPath(new URL(path, import.meta.url))
const page = readFileSync(pathOf('../../../docs/format.md'), 'utf8')

/** Checks the functions of the page against the vectors, and prints how many it has checked. */
const CHECK = `
import base64, json, sys

def load(name):
    with open(f"{sys.argv[1]}/{name}.json", encoding="utf-8") as file:
        return json.load(file)

def typed(value):
    [(kind, content)] = value.items()
    return kind, base64.b64decode(content) if kind == "B" else content

def physical_or_error(vector):
    try:
        return add(typed(vector["logical"])[1], vector["shard"], vector["delimiter"], vector["adopt"])
    except ValueError as error:
        return str(error)

checked = 0
def same(vector, found, expected):
    global checked
    checked += 1
    if found != expected:
        sys.exit(f"{json.dumps(vector)[:300]}: {found!r} is not {expected!r}")

placement, suffixes = load("placement"), load("suffixes")
for each in placement["numbers"]:
    same(each, canonical(each["number"]), each["canonical"])
for each in placement["hashes"]:
    same(each, f"{place_hash([typed(value) for value in each['values']]):016x}", each["hash"])
for each in placement["jumps"]:
    for count, bucket in each["buckets"].items():
        same(each, jump(int(each["hash"], 16), int(count)), bucket)
for each in placement["shards"]:
    item = each["item"]
    source = [item.get("sort", item["partition"])]
    if "from" in each:
        source = [item["partition"] if name == "pk" else item["sort"] for name in each["from"]]
    same(each, shard_of([typed(value) for value in source], each["shards"]), each["shard"])
for each in suffixes["added"]:
    same(each, physical_or_error(each), typed(each["physical"])[1] if "physical" in each else each["error"])
for each in suffixes["stripped"]:
    found = each["is"] and (typed(each["is"]["logical"])[1], each["is"]["shard"])
    same(each, strip(typed(each["physical"])[1], each["delimiter"], each["adopt"]), found)
for each in load("indexes")["shards"]:
    same(each, shard_of([typed(value) for value in each["key"]], each["shards"]), each["shard"])
print(checked)
`

const hasPython = spawnSync('python3', ['--version']).status === 0

it.skipIf(!hasPython)('the Python code in docs/format.md agrees with the vectors', () => {
  const code = /^```python\n(.*?)^```/ms.exec(page)?.[1] ?? ''
  const { stdout, stderr } = spawnSync('python3', ['-', pathOf('../format')], {
    input: code + CHECK,
    encoding: 'utf8',
  })
  expect(stderr).toBe('')
  expect(Number(stdout)).toBeGreaterThan(400)
})

it('docs/format.md names every file of vectors', () => {
  for (const name of ['suffixes', 'placement', 'shard-map', 'moves', 'indexes', 'card']) {
    expect(page).toContain(`(../packages/isotherm/format/${name}.json)`)
  }
})
