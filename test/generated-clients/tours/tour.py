import json
import os

from petstore import ApiClient, Configuration, EventsApi, NewPet, PetsApi, PetStatus, UsageApi
from petstore.exceptions import NotFoundException
from petstore.models import OrderPlacedEvent, PetCreatedEvent, PetStatusChangedEvent

client = ApiClient(Configuration(host=os.environ['PETSTORE_URL'], access_token=os.environ['PETSTORE_API_KEY']))
pets_api = PetsApi(client)


def show_pet(pet):
    return f'{pet.name} {pet.category_id} {pet.status.value}'


def show_value(value):
    if value is None:
        return 'null'
    return value.value if isinstance(value, PetStatus) else value


def show_change(change):
    change = change.actual_instance
    return f'{change.var_field}: {show_value(change.var_from)} to {show_value(change.to)}'


def show_event(event):
    event = event.actual_instance
    if isinstance(event, PetCreatedEvent):
        return f'{event.type}: {event.data.object.name} {event.data.object.category_id}'
    if isinstance(event, PetStatusChangedEvent):
        return f'{event.type}: {event.data.previous.status.value} to {event.data.object.status.value}'
    if isinstance(event, OrderPlacedEvent):
        return f'{event.type}: {event.data.object.status.value}'
    return event.type


created = pets_api.create_pet(NewPet(name='Rex', category_id=1))
pets = pets_api.list_pets()
available = pets_api.list_pets(status=PetStatus.AVAILABLE, limit=1)
found = pets_api.get_pet(created.id)
usage = UsageApi(client).get_usage()
history = pets_api.list_pet_history(pets[0].id)
events = EventsApi(client).list_events()
try:
    pets_api.get_pet(created.id + 1)
    raise AssertionError('expected no such pet')
except NotFoundException as error:
    refused = error.data

print(
    json.dumps(
        {
            'created': show_pet(created),
            'pets': [show_pet(pet) for pet in pets],
            'available': [show_pet(pet) for pet in available],
            'found': show_pet(found),
            'requestsPerDay': str(usage.day.limit),
            'history': [show_change(change) for entry in history for change in entry.changes],
            'events': [show_event(event) for event in events],
            'refused': f'{refused.status} {refused.code}',
        }
    )
)
