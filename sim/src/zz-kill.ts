import { simKill } from './kill/main.ts'

const t = performance.now()
console.log(
  await simKill({ kills: Number(process.argv[2] ?? 5), seed: Number(process.argv[3] ?? 1) }),
  Math.round(performance.now() - t),
)
