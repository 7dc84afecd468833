import java.util.Map;
import petstore.api.EventsApi;
import petstore.api.PetsApi;
import petstore.api.UsageApi;
import petstore.client.ApiClient;
import petstore.client.ApiException;
import petstore.model.Error;
import petstore.model.Event;
import petstore.model.NewPet;
import petstore.model.OrderPlacedEvent;
import petstore.model.Pet;
import petstore.model.PetCategoryChange;
import petstore.model.PetCreatedEvent;
import petstore.model.PetFieldChange;
import petstore.model.PetNameChange;
import petstore.model.PetStatus;
import petstore.model.PetStatusChange;
import petstore.model.PetStatusChangedEvent;

public class Tour {
  private static String show(Pet pet) {
    return pet.getName() + " " + pet.getCategoryId() + " " + pet.getStatus();
  }

  private static String show(PetFieldChange change) {
    Object it = change.getActualInstance();
    if (it instanceof PetNameChange) {
      PetNameChange name = (PetNameChange) it;
      return name.getField() + ": " + name.getFrom() + " to " + name.getTo();
    }
    if (it instanceof PetCategoryChange) {
      PetCategoryChange category = (PetCategoryChange) it;
      return category.getField() + ": " + category.getFrom() + " to " + category.getTo();
    }
    PetStatusChange status = (PetStatusChange) it;
    return status.getField() + ": " + status.getFrom() + " to " + status.getTo();
  }

  private static String show(Event event) {
    Object it = event.getActualInstance();
    if (it instanceof PetCreatedEvent) {
      PetCreatedEvent created = (PetCreatedEvent) it;
      Pet pet = created.getData().getObject();
      return created.getType() + ": " + pet.getName() + " " + pet.getCategoryId();
    }
    if (it instanceof PetStatusChangedEvent) {
      PetStatusChangedEvent changed = (PetStatusChangedEvent) it;
      PetStatus previous = changed.getData().getPrevious().getStatus();
      return changed.getType() + ": " + previous + " to " + changed.getData().getObject().getStatus();
    }
    if (it instanceof OrderPlacedEvent) {
      OrderPlacedEvent placed = (OrderPlacedEvent) it;
      return placed.getType() + ": " + placed.getData().getObject().getStatus();
    }
    return it.getClass().getName();
  }

  private static Error refusal(ApiClient client, PetsApi petsApi, long petId) throws Exception {
    try {
      petsApi.getPet(PetsApi.APIGetPetRequest.newBuilder().petId(petId).build());
    } catch (ApiException refused) {
      return client.getObjectMapper().readValue(refused.getResponseBody(), Error.class);
    }
    throw new IllegalStateException("expected no such pet");
  }

  public static void main(String[] args) throws Exception {
    ApiClient client = new ApiClient();
    client.updateBaseUri(System.getenv("PETSTORE_URL"));
    String key = System.getenv("PETSTORE_API_KEY");
    client.setRequestInterceptor(request -> request.header("Authorization", "Bearer " + key));
    PetsApi petsApi = new PetsApi(client);

    var newPet = new NewPet().name("Rex").categoryId(1L);
    var created = petsApi.createPet(PetsApi.APICreatePetRequest.newBuilder().newPet(newPet).build());
    var pets = petsApi.listPets(PetsApi.APIListPetsRequest.newBuilder().build());
    var firstAvailable = PetsApi.APIListPetsRequest.newBuilder().status(PetStatus.AVAILABLE).limit(1).build();
    var available = petsApi.listPets(firstAvailable);
    var found = petsApi.getPet(PetsApi.APIGetPetRequest.newBuilder().petId(created.getId()).build());
    var usage = new UsageApi(client).getUsage();
    var oldest = PetsApi.APIListPetHistoryRequest.newBuilder().petId(pets.get(0).getId()).build();
    var history = petsApi.listPetHistory(oldest);
    var events = new EventsApi(client).listEvents(EventsApi.APIListEventsRequest.newBuilder().build());
    var refused = refusal(client, petsApi, created.getId() + 1);

    Map<String, Object> told =
        Map.of(
            "created", show(created),
            "pets", pets.stream().map(Tour::show).toArray(),
            "available", available.stream().map(Tour::show).toArray(),
            "found", show(found),
            "requestsPerDay", usage.getDay().getLimit().toString(),
            "history", history.stream().flatMap(entry -> entry.getChanges().stream()).map(Tour::show).toArray(),
            "events", events.stream().map(Tour::show).toArray(),
            "refused", refused.getStatus() + " " + refused.getCode());
    System.out.println(client.getObjectMapper().writeValueAsString(told));
  }
}
