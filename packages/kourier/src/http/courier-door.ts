export type { Answered, CourierDoor, Given, NotTaken, Opening, Saying, Taken } from '../ports/courier-door.ts';
