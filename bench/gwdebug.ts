import { mkdtempSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { interleaved, median } from './measure.ts';
import { startNginx } from './nginx.ts';
import { start, startAgent } from './processes.ts';
const events=250, path=`/ticks/${events}/4`;
const data=mkdtempSync(join(tmpdir(),'kb-'));
const agent=await startAgent(); const nginx=await startNginx(agent.said,data); const proxy=await start('proxy.ts',{args:[agent.said]}); const space=await start('space.ts',{args:[agent.said+path,data]});
function middle(url:string):Promise<number>{return new Promise((res,rej)=>{const l:number[]=[];const body=JSON.stringify({jsonrpc:'2.0',id:'b',method:'SendStreamingMessage',params:{message:{messageId:crypto.randomUUID(),role:'ROLE_USER',parts:[{text:'x'}]}}});
const s=request(url,{method:'POST',headers:{'content-type':'application/json'}},r=>{r.setEncoding('utf8').on('data',(t:string)=>{const n=process.hrtime.bigint();for(const [,st] of t.matchAll(/"text":"(\d+) "/g))l.push(Number(n-BigInt(st!))/1000)}).once('end',()=>res(median(l))).once('error',rej)});s.end(body)})}
console.log(await interleaved(Number(process.argv[2]??6),{direct:()=>middle(agent.said+path),nginx:()=>middle(nginx.url+path),node:()=>middle(proxy.said+path),ours:()=>middle(space.said)}));
for(const o of [space,proxy,nginx,agent])o.end();
