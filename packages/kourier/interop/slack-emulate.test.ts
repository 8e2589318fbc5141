import { slackContract } from '../contract/slack/slack-contract.ts';
import { startEmulate } from './slack-emulate.ts';

slackContract('emulate', startEmulate, {
  leavesOut: [
    // Its tokens are people's.
    'the app is told its bot',
    // Any token will do.
    'a token that nobody gave out is refused',
    'a root has its own ts as thread_ts once it has a reply, and a reply has the root’s',
    // It has `oldest` itself among what is younger.
    'oldest leaves out what is not younger',
    '& < > are kept escaped, and not twice',
    'without include_all_metadata no marker is shown',
    'a thread that is not there is refused',
    // It cuts the text and warns.
    'a text of more than 40,000 characters is refused',
    'C163 a section of 3,001 characters, 51 blocks and 13,300 characters of Markdown are refused',
  ],
});
