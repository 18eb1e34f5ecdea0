import { runSeed } from './storm.ts'

const from = Number(process.argv[2] ?? 1),
  n = Number(process.argv[3] ?? 1)
const t0 = performance.now()
let intents = 0,
  faults = 0,
  bad = 0,
  events = 0
for (let s = from; s < from + n; s++) {
  const r = await runSeed(
    s,
    process.argv[4] === 'v' ? { print: (l) => process.stdout.write(l) } : {},
  )
  intents += r.intents
  faults += r.faults
  events += r.events
  if (r.violations.length > 0 && bad++ < 12)
    console.log(s, r.violations.length, JSON.stringify(r.violations.slice(0, 3)))
  if (process.argv[4] === 'twice') {
    const q = await runSeed(s)
    if (q.history_hash !== r.history_hash) console.log('NONDET', s)
  }
}
const dt = (performance.now() - t0) / 1000
const cpu = process.cpuUsage()
console.log({ cpuPerSeedMs: (cpu.user + cpu.system) / 1000 / n })
console.log({ n, bad, intents, faults, events, dt, perS: n / dt })
