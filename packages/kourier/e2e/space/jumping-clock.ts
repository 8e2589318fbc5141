// `node --import jumping-clock.ts …`: at each SIGUSR2 the time of the process is a minute later.
const JUMP_MS = 60_000;

const { now } = Date;
let jumped = 0;
Date.now = () => now() + jumped;
process.on('SIGUSR2', () => {
  jumped += JUMP_MS;
  process.stdout.write('the clock jumped\n');
});
